// The server's time, as a value that a component follows second by second.
import { useEffect, useState } from 'react';
import { useSession } from './session';

// The present second of the store, as estimated. Renders once a second, at its turn.
export function useSecond(): number {
  const { time } = useSession();
  const [second, setSecond] = useState(() => Math.floor(time.estimateMs / 1000));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const now = time.estimateMs;
      setSecond(Math.floor(now / 1000));
      if (!time.frozen) timer = setTimeout(look, 1000 - (now % 1000) + 5);
    };
    look();
    const stop = time.subscribe(look);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [time]);
  return second;
}

// The last time that the server itself has shown, in seconds.
export function useShownSecond(): number {
  const { time } = useSession();
  const [second, setSecond] = useState(() => Math.floor(time.shownMs / 1000));
  useEffect(() => time.subscribe(() => setSecond(Math.floor(time.shownMs / 1000))), [time]);
  return second;
}
