// Asks again and again while the page is visible, never twice at once.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useReconnects } from './session';

export interface Polled<T> {
  value: T | undefined;
  error: unknown;
  // Asks now, instead of at the next turn.
  refresh: () => void;
}

// `ask` is taken anew for each change of `key`; what was known for another key is forgotten.
export function usePoll<T>(key: string, intervalMs: number, ask: (signal: AbortSignal) => Promise<T>): Polled<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown }>({ key });
  const reconnects = useReconnects();
  const latest = useRef(ask);
  latest.current = ask;
  const askNow = useRef<() => void>(() => {});

  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    let again = false;
    const turn = async () => {
      clearTimeout(timer);
      if (document.hidden || control.signal.aborted) return;
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      try {
        const value = await latest.current(control.signal);
        if (!control.signal.aborted) setState({ key, value });
      } catch (error) {
        if (!control.signal.aborted) setState((before) => ({ ...(before.key === key ? before : { key }), error }));
      }
      busy = false;
      if (control.signal.aborted) return;
      if (again) {
        again = false;
        void turn();
      } else {
        timer = setTimeout(() => void turn(), intervalMs);
      }
    };
    askNow.current = () => void turn();
    const onVisible = () => void turn();
    document.addEventListener('visibilitychange', onVisible);
    void turn();
    return () => {
      control.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [key, intervalMs, reconnects]);

  const refresh = useCallback(() => askNow.current(), []);
  const current = state.key === key ? state : { value: undefined, error: undefined };
  return { value: current.value, error: current.error, refresh };
}
