// Results as a table. Only the rows in sight are drawn.
import { useMemo, useRef } from 'react';
import type { Json } from '../json/lossless_json';
import { useVirtualRows } from '../parts/use_virtual_rows';
import { Columns, cellOf, cellText, isNumeric } from './result_table';

const kRowHeight = 34;
const kColumnsMax = 60;
const kCellMax = 300;

export function ResultsTableView({ results }: { results: readonly Json[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => {
    const all = new Columns();
    results.forEach((result) => all.add(result));
    return all.names;
  }, [results]);
  const shown = columns.slice(0, kColumnsMax);
  const { first, last, height, topOf } = useVirtualRows(scroller, results.length, kRowHeight);
  return (
    <div className="results-scroll" ref={scroller} tabIndex={0} role="region" aria-label="Results as a table">
      <table className="data-table results-table" aria-rowcount={results.length + 1}>
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            {shown.map((name) => (
              <th
                scope="col"
                key={name}
                title={name}
                className={isNumeric(cellOf(results[0]!, name)) ? 'number' : undefined}
              >
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr aria-hidden="true" style={{ height: topOf(first) }} />}
          {results.slice(first, last).map((result, at) => (
            <tr key={first + at} aria-rowindex={first + at + 2}>
              <td className="number muted">{(first + at + 1).toLocaleString('en-US')}</td>
              {shown.map((name) => {
                const value = cellOf(result, name);
                const text = cellText(value).slice(0, kCellMax);
                return (
                  <td key={name} className={isNumeric(value) ? 'number' : undefined} title={text}>
                    <bdi>{text}</bdi>
                  </td>
                );
              })}
            </tr>
          ))}
          {last < results.length && <tr aria-hidden="true" style={{ height: height - topOf(last) }} />}
        </tbody>
      </table>
      {columns.length > shown.length && (
        <p className="muted">{columns.length - shown.length} more columns: see the tree or JSON.</p>
      )}
    </div>
  );
}
