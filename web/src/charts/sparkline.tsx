// The last minutes of a number, without axes. The number itself stands beside it in words.
import { Suspense, useMemo, useRef } from 'react';
import type { AlignedData } from 'uplot';
import { lazily } from '../parts/lazily';
import type { Colour, PlotOptions } from './plot';

const Plot = lazily(() => import('./plot'));

const kHeight = 40;
const kFillOpacity = '2b';
// A sixth of what there can be fills the width at first.
const kFirstShare = 1 / 6;

interface Props {
  // Seconds, by any clock that does not jump.
  times: readonly number[];
  values: readonly number[];
  // How long back it shows at the most, in seconds.
  span: number;
  limit?: number | undefined;
}

export function Sparkline({ times, values, span, limit }: Props) {
  const latest = useRef({ span, limit });
  latest.current = { span, limit };
  const data = useMemo<AlignedData>(
    () => [[...times], [...values], times.map(() => limit ?? null)],
    [times, values, limit],
  );
  const options = (colour: Colour): PlotOptions => ({
    padding: [3, 1, 2, 1],
    axes: [{ show: false }, { show: false }],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_, first, last) => spanOf(first ?? 0, last ?? 0, latest.current.span) },
      y: { range: (_, __, most) => [0, Math.max(1e-9, latest.current.limit ?? 0, most ?? 0)] },
    },
    series: [
      {},
      {
        stroke: () => colour('--live-fill'),
        fill: () => colour('--live-fill') + kFillOpacity,
        width: 1.5,
        points: { show: false },
      },
      { stroke: () => colour('--amber-fill'), dash: [4, 3], width: 1, points: { show: false } },
    ],
  });
  return (
    <div className="sparkline" aria-hidden="true">
      <Suspense>
        <Plot options={options} data={data} height={kHeight} />
      </Suspense>
    </div>
  );
}

function spanOf(first: number, last: number, most: number): [number, number] {
  return [last - Math.min(most, Math.max(most * kFirstShare, last - first)), last];
}
