// A dialog over the page. What is in it closes it, and says what is left to do when it has gone.
import { Dialog, DialogSurface } from '@fluentui/react-components';
import { type ReactNode, createContext, useContext, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useModalKeeper } from './modal_keeper';

type Close = (andThen?: () => void) => void;
const CloseContext = createContext<Close>(() => {});

// For what is in the dialog: closes it, then does what is left to do.
export function useClose(): Close {
  return useContext(CloseContext);
}

interface Props {
  onClosed: () => void;
  className?: string;
  children: ReactNode;
}

export function Modal({ onClosed, className, children }: Props) {
  useModalKeeper();
  const [opener] = useState(() => document.activeElement);
  const [closing, setClosing] = useState<{ andThen: (() => void) | undefined }>();
  const close: Close = (andThen) => setClosing((before) => before ?? { andThen });
  const onGone = () => {
    if (!closing) return;
    // At once: the next click may open the same dialog again.
    flushSync(onClosed);
    closing.andThen?.();
    focusAfter(opener);
  };
  return (
    <CloseContext.Provider value={close}>
      <Dialog open={!closing} onOpenChange={(_, data) => !data.open && close()}>
        <DialogSurface className={className}>
          {children}
          <WhenGone run={onGone} />
        </DialogSurface>
      </Dialog>
    </CloseContext.Provider>
  );
}

// Tells when the dialog has faded and is no part of the page any more.
function WhenGone({ run }: { run: () => void }) {
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(
    () => () => {
      // React is still taking the dialog away, and is done with it by then.
      queueMicrotask(() => latest.current());
    },
    [],
  );
  return null;
}

// The focus goes back to where it was. Where somebody has gone on already, to a menu for example, it stays.
function focusAfter(opener: Element | null): void {
  const focused = document.activeElement;
  if (focused && focused !== document.body && !focused.closest('[role="dialog"]')) return;
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
  (isThere ? opener : document.getElementById('main'))?.focus();
}
