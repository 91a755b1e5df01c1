// Shows the page to screen readers again after a dialog.
//
// Fluent hides the page below a dialog from them, and shows it again a quarter of a second after the dialog has gone.
// What does this lives only as long as some component uses it. When a dialog and all around it go at once, as they do
// when somebody goes back in the browser, the page would stay hidden. So the keeper uses it from the first dialog on
// until some time after the last.
import { useModalAttributes } from '@fluentui/react-components';
import { useEffect, useSyncExternalStore } from 'react';

const kAfterMs = 1_000;

let users = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  users += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// For a dialog: the keeper is there while the dialog is.
export function useModalKeeper(): void {
  useEffect(() => {
    change(1);
    return () => void setTimeout(() => change(-1), kAfterMs);
  }, []);
}

// Stands once, around all pages.
export function ModalKeeper() {
  const isNeeded = useSyncExternalStore(subscribe, () => users > 0);
  return isNeeded ? <Keeper /> : null;
}

function Keeper() {
  useModalAttributes();
  return null;
}
