// The width that an element has on the screen.
import { type RefObject, useEffect, useState } from 'react';

export function useWidth(element: RefObject<HTMLElement>, first = 600): number {
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (!element.current) return;
    const sizes = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)));
    sizes.observe(element.current);
    return () => sizes.disconnect();
  }, [element]);
  return width;
}
