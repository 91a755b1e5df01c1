// How many items expire when: a bar for each step of the forecast, and beside it what another default would make of it.
import { useRef, useState } from 'react';
import type { Series } from '../api/lapse';
import { countText, plural } from '../parts/numbers';
import { localText, utcText } from '../time/dates';
import { formatCountdown } from '../time/duration';
import { niceCeiling, spreadIndexes } from './scale';
import { useWidth } from './use_width';

const kHeight = 240;
const kEdge = { left: 56, right: 12, top: 12, bottom: 28 };

export function ForecastChart({ series, after }: { series: Series; after?: Series | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [pointed, setPointed] = useState<number>();
  const top = niceCeiling(Math.max(0, ...series.items, ...(after?.items ?? [])));
  const inner = { width: width - kEdge.left - kEdge.right, height: kHeight - kEdge.top - kEdge.bottom };
  const slot = inner.width / series.steps;
  const bar = after ? slot * 0.4 : slot * 0.72;
  const heightOf = (items: number) => (items === 0 ? 0 : Math.max(1.5, (items / top) * inner.height));
  const sum = series.items.reduce((total, items) => total + items, 0);

  const bars = (values: readonly number[], shift: number, name: string) =>
    values.map((items, at) =>
      items === 0 ? null : (
        <rect
          key={at}
          className={name}
          rx={Math.min(2, bar / 4)}
          x={kEdge.left + at * slot + shift}
          width={bar}
          y={kEdge.top + inner.height - heightOf(items)}
          height={heightOf(items)}
        />
      ),
    );
  return (
    <div className="chart" ref={place}>
      <svg
        width={width}
        height={kHeight}
        role="img"
        aria-label={`${plural(sum, 'item')} will expire within the next ${series.horizon}. The table below has the numbers.`}
        onPointerMove={(event) => {
          const at = Math.floor((event.nativeEvent.offsetX - kEdge.left) / slot);
          setPointed(at >= 0 && at < series.steps ? at : undefined);
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        {[0, 0.5, 1].map((share) => {
          const y = kEdge.top + inner.height * (1 - share);
          return (
            <g key={share}>
              <line className="chart-line" x1={kEdge.left} x2={width - kEdge.right} y1={y} y2={y} />
              {(share !== 0.5 || top > 1) && (
                <text className="chart-text" x={kEdge.left - 8} y={y + 4} textAnchor="end">
                  {countText(top * share)}
                </text>
              )}
            </g>
          );
        })}
        {pointed !== undefined && (
          <rect
            className="chart-pointed"
            x={kEdge.left + pointed * slot}
            width={slot}
            y={kEdge.top}
            height={inner.height}
          />
        )}
        {bars(series.items, after ? slot * 0.08 : slot * 0.14, 'chart-bar')}
        {after && bars(after.items, slot * 0.52, 'chart-bar-after')}
        {spreadIndexes(series.steps, width < 400 ? 3 : width < 560 ? 4 : 6).map((at) => (
          <text
            key={at}
            className="chart-text"
            x={kEdge.left + at * slot}
            y={kHeight - 8}
            textAnchor={at === 0 ? 'start' : 'middle'}
          >
            {at === 0 ? 'now' : `+${formatCountdown(at * series.step_s)}`}
          </text>
        ))}
      </svg>
      <p className="chart-note" aria-hidden="true">
        {pointed === undefined ? (
          <span className="muted">Point at a bar for its numbers.</span>
        ) : (
          <>
            up to {localText((series.from + (pointed + 1) * series.step_s) * 1000)}:{' '}
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
                  <th scope="row">{utcText((series.from + (at + 1) * series.step_s) * 1000)}</th>
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
