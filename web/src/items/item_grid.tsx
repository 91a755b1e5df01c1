// The rows of items: only those in sight are drawn. Arrow keys move, Enter opens.
import { Spinner } from '@fluentui/react-components';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSecond } from '../app/use_server_time';
import { type DefaultTtl, lifetimeOf } from '../lifetime/lifetime';
import { Timestamp } from '../parts/timestamp';
import { useVirtualRows } from '../parts/use_virtual_rows';
import type { ItemRow } from './item_row';
import { LifetimeCell } from './lifetime_cell';
import type { ItemList } from './use_item_list';

const kRowHeight = 40;
// So many rows before the end of what is there, the next page is asked for.
const kAhead = 120;

interface Props {
  list: ItemList;
  defaultTtl: DefaultTtl;
  selected: string | undefined;
  onOpen: (row: ItemRow) => void;
}

export function ItemGrid({ list, defaultTtl, selected, onOpen }: Props) {
  const { pages, going, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const now = useSecond();
  const [focused, setFocused] = useState(0);
  const count = pages.count;
  const { first, last, height, topOf, reveal } = useVirtualRows(scroller, count, kRowHeight);
  const atEnd = last + kAhead >= count;
  useEffect(() => {
    if (atEnd && !list.error) loadMore();
  }, [atEnd, count, loadMore, list.error]);

  // The row that the focus goes to may have to be drawn first. The row that has it may go: because it expires, is read
  // again, or is scrolled out of sight. The focus then goes to the row in its place, or stays in the list.
  const wantsFocus = useRef<number>();
  const focusedRow = useRef<HTMLElement>();
  useEffect(() => {
    const isLost = focusedRow.current?.isConnected === false && document.activeElement === document.body;
    if (isLost) wantsFocus.current = Math.min(focused, count - 1);
    if (wantsFocus.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wantsFocus.current}"]`);
    if (row) wantsFocus.current = undefined;
    if (row || isLost) (row ?? scroller.current)?.focus({ preventScroll: true });
  });

  const focusRow = (index: number) => {
    const wanted = Math.max(0, Math.min(count - 1, index));
    setFocused(wanted);
    wantsFocus.current = wanted;
    reveal(wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.floor((scroller.current?.clientHeight ?? 400) / kRowHeight) - 1;
    const moves: Record<string, number> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: count - 1,
    };
    const target = moves[event.key];
    if (target !== undefined) {
      event.preventDefault();
      focusRow(target);
    } else if (event.key === 'Enter' || event.key === ' ') {
      const row = pages.row(focused);
      if (row) {
        event.preventDefault();
        onOpen(row);
      }
    }
  };

  const rows = [];
  for (let index = first; index < last; index += 1) {
    const row = pages.row(index);
    const top = { transform: `translateY(${topOf(index)}px)` };
    const shared = {
      role: 'row',
      'aria-rowindex': index + 2,
      'data-index': index,
      tabIndex: index === focused ? 0 : -1,
      style: top,
      onFocus: (event: FocusEvent<HTMLElement>) => {
        focusedRow.current = event.currentTarget;
        setFocused(index);
      },
      onBlur: () => {
        focusedRow.current = undefined;
      },
    };
    if (!row) {
      rows.push(
        <div key={`blank ${index}`} {...shared} className="grid-row">
          <span role="gridcell" className="muted">
            reading
          </span>
        </div>,
      );
      continue;
    }
    rows.push(
      <div
        key={row.rid || index}
        {...shared}
        className={`grid-row ${going.has(row.rid) ? 'grid-row-going' : ''}`}
        aria-selected={row.rid === selected}
        data-id={row.id}
        onClick={() => onOpen(row)}
      >
        <span role="gridcell" className="cut grid-id" title={row.id}>
          <bdi>{row.id}</bdi>
        </span>
        <span role="gridcell" className="cut grid-key" title={row.keyText}>
          <bdi>{row.keyText}</bdi>
        </span>
        <span role="gridcell" className="grid-lifetime">
          <LifetimeCell lifetime={lifetimeOf(row.lastWrite, row.ownTtl, defaultTtl)} now={now} />
        </span>
        <span role="gridcell" className="cut grid-written">
          <Timestamp ms={row.lastWrite * 1000} />
        </span>
        <span role="gridcell" className="cut grid-preview">
          <bdi>{row.preview}</bdi>
        </span>
      </div>,
    );
  }
  return (
    <div
      className="grid"
      role="grid"
      aria-label="Items"
      aria-rowcount={pages.ended ? count + 1 : -1}
      onKeyDown={onKeyDown}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        <span role="columnheader" className="grid-id">
          id
        </span>
        <span role="columnheader" className="grid-key">
          Partition key
        </span>
        <span role="columnheader" className="grid-lifetime">
          Lifetime
        </span>
        <span role="columnheader" className="grid-written">
          Last write
        </span>
        <span role="columnheader" className="grid-preview">
          Content
        </span>
      </div>
      <div className="grid-body" ref={scroller} role="rowgroup" tabIndex={count === 0 ? 0 : -1} data-testid="item-rows">
        <div role="presentation" style={{ height, position: 'relative' }}>
          {rows}
        </div>
        {!pages.ended && !pages.full && !list.error && (
          <Spinner size="tiny" className="grid-more" label="Reading more" />
        )}
        {pages.full && (
          <p className="muted grid-more">
            These are the first {count.toLocaleString('en-US')}. Use the filter to see others.
          </p>
        )}
      </div>
    </div>
  );
}
