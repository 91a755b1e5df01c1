// Which rows of a long list are in sight, from where it is scrolled to.
import { type RefObject, useEffect, useState } from 'react';

const kAround = 8;

export function useVirtualRows(
  scroller: RefObject<HTMLElement>,
  count: number,
  rowHeight: number,
): { first: number; last: number } {
  const [place, setPlace] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      setPlace((before) =>
        before.top === element.scrollTop && before.height === element.clientHeight
          ? before
          : { top: element.scrollTop, height: element.clientHeight },
      );
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    element.addEventListener('scroll', soon, { passive: true });
    const sizes = new ResizeObserver(soon);
    sizes.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', soon);
      sizes.disconnect();
    };
  }, [scroller]);
  const first = Math.max(0, Math.floor(place.top / rowHeight) - kAround);
  const last = Math.min(count, Math.ceil((place.top + place.height) / rowHeight) + kAround);
  return { first: Math.min(first, last), last };
}
