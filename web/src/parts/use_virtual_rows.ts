// Which rows of a long list are in sight, from where it is scrolled to.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { ScrollMap } from './scroll_map';

const kAround = 8;

export interface VirtualRows {
  // Those to draw: from the first up to and without the last.
  first: number;
  last: number;
  // How high the element is that holds them, and where in it a row is.
  height: number;
  topOf: (index: number) => number;
  // Scrolls until the row is in sight.
  reveal: (index: number) => void;
}

export function useVirtualRows(scroller: RefObject<HTMLElement>, count: number, rowHeight: number): VirtualRows {
  const [map] = useState(() => new ScrollMap());
  const [view, setView] = useState(600);
  const [, drawAgain] = useReducer((turns: number) => turns + 1, 0);
  // Where the rows are follows from the height. The element is scrolled when it has it.
  const shift = useRef(0);
  shift.current += map.resize(count * rowHeight, view);
  useLayoutEffect(() => {
    if (shift.current !== 0 && scroller.current) scroller.current.scrollTop += shift.current;
    shift.current = 0;
  });

  const scrollTo = useCallback(
    (top: number) => {
      const element = scroller.current;
      if (element && element.scrollTop !== top) element.scrollTop = top;
    },
    [scroller],
  );

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      setView(element.clientHeight);
      const before = map.place;
      scrollTo(map.scrolled(element.scrollTop));
      if (map.place !== before) drawAgain();
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
  }, [scroller, map, scrollTo]);

  const reveal = (index: number) => {
    const top = index * rowHeight;
    if (top >= map.place && top + rowHeight <= map.place + view) return;
    scrollTo(map.goTo(top < map.place ? top : top + rowHeight - view));
    drawAgain();
  };
  const first = Math.max(0, Math.floor(map.place / rowHeight) - kAround);
  const last = Math.min(count, Math.ceil((map.place + view) / rowHeight) + kAround);
  return {
    first: Math.min(first, last),
    last,
    height: map.height,
    topOf: (index) => map.inElement(index * rowHeight),
    reveal,
  };
}
