// The list of a container's items as it is shown: read page by page, and rid of what expires.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../api/errors';
import { readClock } from '../api/lapse';
import { type ContainerId, itemsWithRids, listItems } from '../api/resources';
import { useReconnects, useSession } from '../app/session';
import { useSecond } from '../app/use_server_time';
import { isObject } from '../json/lossless_json';
import { type DefaultTtl, isExpired, lifetimeOf } from '../lifetime/lifetime';
import { ExpiredRows } from './expired_rows';
import { ItemPages } from './item_pages';
import { type ItemRow, rowOf } from './item_row';

// The first page is small, so that something is there at once.
const kFirstPage = 60;
const kNextPages = 250;
// How long the list waits at least when the throughput is used up.
const kThrottledMs = 1_000;
// How long a row that expired can be seen to go.
const kFadeMs = 500;

export interface ItemList {
  pages: ItemPages<ItemRow>;
  // Changes with every change of the pages.
  version: number;
  // Rows that have expired and are fading out, by rid.
  going: ReadonlySet<string>;
  error: unknown;
  loadMore: () => void;
  reload: () => void;
}

export function useItemList(
  id: ContainerId,
  keyPaths: readonly string[],
  filter: string,
  defaultTtl: DefaultTtl,
): ItemList {
  const { client, time } = useSession();
  const [version, setVersion] = useState(0);
  const [round, setRound] = useState(0);
  const [error, setError] = useState<unknown>();
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set());
  const paths = keyPaths.join('\n');

  const pages = useMemo(() => {
    const names = paths.split('\n');
    return new ItemPages<ItemRow>(
      async (continuation, isFirst) => {
        const page = await listItems(client, id, filter, {
          continuation,
          max: isFirst ? kFirstPage : kNextPages,
        });
        return {
          rows: page.values.filter(isObject).map((item) => rowOf(item, names)),
          continuation: page.continuation,
        };
      },
      () => setVersion((old) => old + 1),
      (row) => row.rid,
    );
    // A new round reads everything anew, and so does another default: what it ended never comes back, whatever is
    // computed from a later one.
  }, [client, id, filter, paths, defaultTtl, round]);

  const loadMore = useCallback(() => {
    pages.loadMore().then(
      () => setError(undefined),
      (problem: unknown) => setError(problem),
    );
  }, [pages]);
  // At first, and when the server is back: a page that could not be read is read then.
  const reconnects = useReconnects();
  const isShort = useRef(true);
  isShort.current = error !== undefined || pages.count === 0;
  useEffect(() => {
    if (isShort.current) loadMore();
  }, [loadMore, reconnects]);

  // The throughput is used up: the list goes on when there is some again.
  useEffect(() => {
    if (!(error instanceof ApiError) || error.status !== 429) return;
    const timer = setTimeout(loadMore, Math.max(error.retryAfterMs, kThrottledMs));
    return () => clearTimeout(timer);
  }, [error, loadMore]);

  const second = useSecond();
  const asking = useRef(false);
  // By the estimate something is over: ask the server for its time, so that nothing goes before its second.
  useEffect(() => {
    let due = false;
    pages.forEach((row) => {
      due ||= isExpired(lifetimeOf(row.lastWrite, row.ownTtl, defaultTtl), second);
    });
    if (!due || asking.current) return;
    asking.current = true;
    readClock(client)
      .then(({ value, sentAt }) => time.observe(value.now_ms, value.frozen, sentAt))
      .catch(() => {})
      .finally(() => {
        asking.current = false;
      });
  }, [second, pages, version, defaultTtl, client, time]);

  // By the server's own time it is over: the rows go.
  useEffect(() => {
    const expired = new ExpiredRows({
      pages,
      seemsOver: (row) => isExpired(lifetimeOf(row.lastWrite, row.ownTtl, defaultTtl), Math.floor(time.shownMs / 1000)),
      readLiving: async (rids) => (await itemsWithRids(client, id, rids)).map((item) => rowOf(item, paths.split('\n'))),
      onGoing: setGoing,
      fadeMs: kFadeMs,
    });
    const look = () => expired.look();
    look();
    const unsubscribe = time.subscribe(look);
    return () => {
      unsubscribe();
      expired.stop();
    };
  }, [pages, defaultTtl, time, client, id, paths]);

  const reload = useCallback(() => setRound((old) => old + 1), []);
  return { pages, version, going, error, loadMore, reload };
}
