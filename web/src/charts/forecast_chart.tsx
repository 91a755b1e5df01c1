// How many items expire when: a bar for each step of the forecast, and beside it what another default would make of it.
import { Suspense, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import type { Series } from '../api/lapse';
import { BothTimes } from '../parts/both_times';
import { lazily } from '../parts/lazily';
import { countText, plural } from '../parts/numbers';
import { localText, utcText } from '../time/dates';
import { formatCountdown } from '../time/duration';
import type { Colour, PlotOptions } from './plot';
import { niceCeiling, spreadIndexes, visible } from './scale';

const Plot = lazily(() => import('./plot'));

const kHeight = 240;
// A bar of few items beside those of many can still be seen.
const kBarLeast = 1 / 120;
const kLabelPixels = 96;

export function ForecastChart({ series, after }: { series: Series; after?: Series | undefined }) {
  const [pointed, setPointed] = useState<number>();
  const top = niceCeiling(Math.max(0, ...series.items, ...(after?.items ?? [])));
  const sum = series.items.reduce((total, items) => total + items, 0);
  const latest = useRef({ series, top });
  latest.current = { series, top };
  const data = useMemo<uPlot.AlignedData>(
    () => [
      series.items.map((_, at) => at + 0.5),
      series.items.map((items) => (after ? null : visible(items, top * kBarLeast))),
      series.items.map((items) => (after ? visible(items, top * kBarLeast) : null)),
      series.items.map((_, at) => (after ? visible(after.items[at] ?? 0, top * kBarLeast) : null)),
    ],
    [series, after, top],
  );
  return (
    <div className="chart">
      <div
        role="img"
        className="chart-place"
        aria-label={`${plural(sum, 'item')} will expire within the next ${series.horizon}. The table below has the numbers.`}
      >
        <Suspense>
          <Plot
            options={(colour, paths) => optionsOf(colour, paths, () => latest.current)}
            data={data}
            height={kHeight}
            onPoint={setPointed}
          />
        </Suspense>
      </div>
      <p className="chart-note" aria-hidden="true">
        {pointed === undefined ? (
          <span className="muted">Point at a bar for its numbers.</span>
        ) : (
          <>
            up to <BothTimes ms={endOf(series, pointed)} />:{' '}
            <strong>{plural(series.items[pointed] ?? 0, 'item')}</strong>
            {after && (
              <>
                , with the new default <strong>{countText(after.items[pointed] ?? 0)}</strong>
              </>
            )}
          </>
        )}
      </p>
      <details className="chart-table">
        <summary>As a table</summary>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">Up to</th>
              <th scope="col">UTC</th>
              <th scope="col" className="number">
                Items
              </th>
              {after && (
                <th scope="col" className="number">
                  With the new default
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {series.items.map((items, at) => {
              const later = after?.items[at] ?? 0;
              if (items === 0 && later === 0) return null;
              return (
                <tr key={at}>
                  <th scope="row">{localText(endOf(series, at))}</th>
                  <td>{utcText(endOf(series, at))}</td>
                  <td className="number">{countText(items)}</td>
                  {after && <td className="number">{countText(later)}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
    </div>
  );
}

// The end of a step, in milliseconds.
function endOf(series: Series, step: number): number {
  return (series.from + (step + 1) * series.step_s) * 1000;
}

// Bars alone, or two side by side in each step: those of now left of its middle, those of another default right of it.
function optionsOf(colour: Colour, paths: typeof uPlot.paths, now: () => { series: Series; top: number }): PlotOptions {
  const bars = (fill: string, share: number, align: -1 | 0 | 1): uPlot.Series => ({
    fill: () => colour(fill),
    width: 0,
    points: { show: false },
    paths: paths.bars!({ size: [share, Infinity], align, radius: 0.15 }),
  });
  const axis = {
    stroke: () => colour('--colorNeutralForeground3'),
    font: `12px ${colour('--fontFamilyBase')}`,
    ticks: { show: false },
  };
  const line = { stroke: () => colour('--colorNeutralStroke2'), width: 1 };
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [0, now().series.steps] },
      y: { range: () => [0, now().top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: (plot) =>
          spreadIndexes(now().series.steps, Math.max(2, Math.min(6, Math.floor(plot.width / kLabelPixels)))),
        values: (_, places) => places.map((at) => (at === 0 ? 'now' : `+${formatCountdown(at * now().series.step_s)}`)),
      },
      {
        ...axis,
        grid: line,
        size: 60,
        splits: () => (now().top > 1 ? [0, now().top / 2, now().top] : [0, now().top]),
        values: (_, counts) => counts.map((count) => countText(count)),
      },
    ],
    series: [{}, bars('--live-fill', 0.72, 0), bars('--live-fill', 0.4, -1), bars('--amber-fill', 0.4, 1)],
  };
}
