// A dialog over the page. It is there from its first rendering until it has closed: taken away while it is open, it would
// leave the page below hidden from screen readers. So whoever wants to go on elsewhere says so to `close`.
import { Dialog, DialogSurface } from '@fluentui/react-components';
import { type ReactNode, createContext, useContext, useEffect, useRef, useState } from 'react';

type Close = (andThen?: () => void) => void;
const CloseContext = createContext<Close>(() => {});

// For what is in the dialog: closes it, then does what is left to do.
export function useClose(): Close {
  return useContext(CloseContext);
}

// The dialog fades within this time.
const kFadeMs = 250;

interface Props {
  onClosed: () => void;
  className?: string;
  children: ReactNode;
}

export function Modal({ onClosed, className, children }: Props) {
  const [opener] = useState(() => document.activeElement);
  const closed = useRef(onClosed);
  closed.current = onClosed;
  const [closing, setClosing] = useState<{ andThen: (() => void) | undefined }>();
  useEffect(() => {
    if (!closing) return;
    const timer = setTimeout(() => {
      closed.current();
      closing.andThen?.();
      const place =
        opener instanceof HTMLElement && opener !== document.body && opener.isConnected
          ? opener
          : document.getElementById('main');
      place?.focus();
    }, kFadeMs);
    return () => clearTimeout(timer);
  }, [closing, opener]);
  const close: Close = (andThen) => setClosing((before) => before ?? { andThen });
  return (
    <CloseContext.Provider value={close}>
      <Dialog open={!closing} onOpenChange={(_, data) => !data.open && close()}>
        <DialogSurface className={className}>{children}</DialogSurface>
      </Dialog>
    </CloseContext.Provider>
  );
}
