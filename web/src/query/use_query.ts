// Runs a query page by page, and keeps what it gave.
import { useCallback, useRef, useState } from 'react';
import { type QueryMistake, ApiError } from '../api/errors';
import { type ContainerId, queryItems } from '../api/resources';
import { useSession } from '../app/session';
import type { Json } from '../json/lossless_json';
import { type QueryFacts, factsOf } from './query_facts';

export interface QueryRun {
  sql: string;
  results: Json[];
  pages: number;
  continuation: string | null;
  chargeRu: number;
  tookMs: number;
  facts: QueryFacts;
}

export interface QueryState {
  run: QueryRun | undefined;
  busy: boolean;
  error: unknown;
  mistakes: QueryMistake[];
}

const kPageItems = 100;

export function useQuery(id: ContainerId, onResults: (results: readonly Json[]) => void) {
  const { client } = useSession();
  const [state, setState] = useState<QueryState>({ run: undefined, busy: false, error: undefined, mistakes: [] });
  const control = useRef<AbortController | null>(null);

  // The first page of a new query, or the next page of the one that is there.
  const ask = useCallback(
    async (sql: string, before?: QueryRun) => {
      control.current?.abort();
      const own = new AbortController();
      control.current = own;
      setState({ run: before, busy: true, error: undefined, mistakes: [] });
      try {
        const page = await queryItems(client, id, sql, {
          continuation: before?.continuation ?? null,
          max: kPageItems,
          metrics: true,
          signal: own.signal,
        });
        const facts = factsOf(page.answer.headers);
        onResults(page.values);
        setState({
          run: {
            sql,
            results: [...(before?.results ?? []), ...page.values],
            pages: (before?.pages ?? 0) + 1,
            continuation: page.continuation,
            chargeRu: (before?.chargeRu ?? 0) + page.answer.chargeRu,
            tookMs: (before?.tookMs ?? 0) + page.answer.tookMs,
            facts: {
              ...facts,
              lookedAt: facts.lookedAt === undefined ? undefined : facts.lookedAt + (before?.facts.lookedAt ?? 0),
            },
          },
          busy: false,
          error: undefined,
          mistakes: [],
        });
      } catch (error) {
        if (own.signal.aborted && control.current !== own) return;
        const stopped = own.signal.aborted;
        setState({
          run: before,
          busy: false,
          error: stopped ? undefined : error,
          mistakes: error instanceof ApiError ? error.mistakes : [],
        });
      }
    },
    [client, id, onResults],
  );
  const stop = useCallback(() => control.current?.abort(), []);
  const forgetMistakes = useCallback(
    () => setState((old) => (old.mistakes.length > 0 ? { ...old, mistakes: [], error: undefined } : old)),
    [],
  );
  return { ...state, ask, stop, forgetMistakes };
}
