// A chart of uPlot in the colours of the theme, as wide as its place. Loaded when the first chart is shown.
//
// It is a picture: what it shows stands in words or in a table beside it.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useWidth } from './use_width';

// The value of a variable of the theme, such as `--live-fill`. A canvas knows no variables.
export type Colour = (name: string) => string;

export type PlotOptions = Omit<uPlot.Options, 'width' | 'height' | 'hooks'>;

interface Props {
  // Taken once. Whatever changes with the theme or with the data is a function in it, which is called at each drawing.
  options: (colour: Colour, paths: typeof uPlot.paths) => PlotOptions;
  data: uPlot.AlignedData;
  height: number;
  // Of the pointed-at value; undefined: none.
  onPoint?: (index: number | undefined) => void;
}

export default function Plot({ options, data, height, onPoint }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const width = useWidth(place);
  const latest = useRef({ options, data, width, onPoint });
  latest.current = { options, data, width, onPoint };

  useEffect(() => {
    const element = place.current!;
    const first = latest.current;
    const colour: Colour = (name) => getComputedStyle(element).getPropertyValue(name).trim();
    const hooks = { setCursor: [({ cursor }: uPlot) => latest.current.onPoint?.(cursor.idx ?? undefined)] };
    const settings = { ...first.options(colour, uPlot.paths), hooks, width: first.width, height };
    const chart = new uPlot(settings, first.data, element);
    plot.current = chart;
    // Light or dark: drawn again in the other colours.
    const themes = new MutationObserver(() => chart.redraw(true, true));
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      themes.disconnect();
      chart.destroy();
      plot.current = undefined;
    };
  }, [height]);
  useEffect(() => plot.current?.setSize({ width, height }), [width, height]);
  useEffect(() => {
    plot.current?.setData(data);
    // The labels may say something else although no scale has changed: a minute has as many steps as an hour.
    plot.current?.redraw(false, true);
  }, [data]);
  return <div ref={place} className="plot" />;
}
