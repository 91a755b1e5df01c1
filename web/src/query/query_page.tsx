// Queries: an editor, what it gave, and what it cost.
import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Spinner } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { HistoryRegular } from '@fluentui/react-icons/svg/history';
import { PlayRegular } from '@fluentui/react-icons/svg/play';
import { StopRegular } from '@fluentui/react-icons/svg/stop';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listItems } from '../api/resources';
import { useSession } from '../app/session';
import { type Json, printJson } from '../json/lossless_json';
import { ErrorBar } from '../parts/error_bar';
import { lazily } from '../parts/lazily';
import { countText, millisecondsText, plural, rateText } from '../parts/numbers';
import { Tabs } from '../parts/tabs';
import type { ContainerView } from '../resources/container_view';
import { ExportDialog } from './export_dialog';
import type { ExportForm } from './export_results';
import { keepHistory, readHistory, withQuery } from './query_history';
import { ResultsTableView } from './results_table_view';
import { ResultsTreeView } from './results_tree_view';
import { SeenProperties } from './seen_properties';
import { type QueryRun, useQuery } from './use_query';

const CodeEditor = lazily(() => import('../parts/code_editor'));
const SqlEditor = lazily(() => import('./sql_editor'));

type View = 'table' | 'tree' | 'json';
const kViews: { value: View; label: string }[] = [
  { value: 'table', label: 'Table' },
  { value: 'tree', label: 'Tree' },
  { value: 'json', label: 'JSON' },
];
const kJsonMaxItems = 1_000;
const kFirstQuery = 'SELECT * FROM c';

// What is typed for each container stays while the page is open.
const typedQueries = new Map<string, string>();

export default function QueryPage({ id, report }: ContainerView) {
  const { client } = useSession();
  const name = `${id.database}\n${id.container}`;
  const [sql, setSql] = useState(() => typedQueries.get(name) ?? kFirstQuery);
  const [history, setHistory] = useState(readHistory);
  const [view, setView] = useState<View>('table');
  const [exporting, setExporting] = useState<ExportForm>();
  const seen = useRef(new SeenProperties());
  const see = useCallback(
    (results: readonly Json[]) => results.slice(0, 50).forEach((result) => seen.current.add(result)),
    [],
  );
  const { run, busy, error, mistakes, ask, stop, forgetMistakes } = useQuery(id, see);
  const properties = useCallback(() => seen.current.list(), []);

  // A first look at the items, so that their properties can be completed before the first query.
  useEffect(() => {
    const control = new AbortController();
    listItems(client, id, '', { max: 20, signal: control.signal }).then(
      (page) => see(page.values),
      () => {},
    );
    return () => control.abort();
  }, [client, id, see]);

  const change = useCallback(
    (value: string) => {
      typedQueries.set(name, value);
      setSql(value);
      forgetMistakes();
    },
    [name, forgetMistakes],
  );
  const start = () => {
    if (sql.trim() === '') return;
    const kept = withQuery(history, sql);
    setHistory(kept);
    keepHistory(kept);
    void ask(sql);
  };
  const isPlain = run !== undefined && /^\s*select\s+\*\s+from\s+\w+\s*$/i.test(run.sql);
  const marks = useMemo(() => mistakes.map(({ start: from, end: to, message }) => ({ from, to, message })), [mistakes]);

  return (
    <div className="query-page">
      <section aria-label="Query" className="query-editor">
        {/* Above the editor, whose suggestions open below the line that is typed. */}
        <div className="toolbar">
          {busy ? (
            <Button icon={<StopRegular />} onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button appearance="primary" icon={<PlayRegular />} onClick={start}>
              Run
            </Button>
          )}
          <span className="muted wide-only">Ctrl+Enter</span>
          <Menu>
            <MenuTrigger disableButtonEnhancement>
              <Button appearance="subtle" icon={<HistoryRegular />} disabled={history.length === 0}>
                History
              </Button>
            </MenuTrigger>
            <MenuPopover>
              <MenuList className="history-list">
                {history.map((query) => (
                  <MenuItem key={query} onClick={() => change(query)}>
                    <span className="cut mono">{query.slice(0, 200)}</span>
                  </MenuItem>
                ))}
              </MenuList>
            </MenuPopover>
          </Menu>
          <Menu>
            <MenuTrigger disableButtonEnhancement>
              <Button appearance="subtle" icon={<ArrowDownloadRegular />} disabled={!run}>
                Export
              </Button>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                <MenuItem onClick={() => setExporting('csv')}>All results as CSV</MenuItem>
                <MenuItem onClick={() => setExporting('json')}>All results as JSON</MenuItem>
              </MenuList>
            </MenuPopover>
          </Menu>
          <span className="grow" />
          <Tabs small label="Views of the results" tabs={kViews} selected={view} onSelect={setView} />
        </div>
        <Suspense fallback={<Spinner label="Loading the editor" />}>
          <SqlEditor value={sql} onChange={change} onRun={start} mistakes={marks} properties={properties} />
        </Suspense>
      </section>
      <ErrorBar error={error} />
      <section className="query-results" aria-label="Results">
        {busy && !run && <Spinner label="Running the query" />}
        {run && <Results run={run} view={view} />}
        {!run && !busy && !error && <p className="empty muted">Run the query to see its results.</p>}
      </section>
      {run && (
        <div className="status-line">
          <span role="status">
            {plural(run.results.length, 'result')}
            {run.continuation ? ' so far' : ''}
          </span>
          <span>{rateText(run.chargeRu)} RU</span>
          <span>{millisecondsText(Math.round(run.tookMs * 10) / 10)}</span>
          {run.facts.lookedAt !== undefined && <span>{plural(run.facts.lookedAt, 'item')} looked at</span>}
          <span className="cut" title={run.facts.usedIndexes.join('\n')}>
            {run.facts.usedIndexes.length > 0 ? `index: ${run.facts.usedIndexes.join('; ')}` : 'no index used'}
          </span>
          <span className="grow" />
          {run.continuation && (
            <Button size="small" disabledFocusable={busy} onClick={() => void ask(run.sql, run)}>
              Next page
            </Button>
          )}
        </div>
      )}
      {exporting && run && (
        <ExportDialog
          id={id}
          sql={run.sql}
          form={exporting}
          expected={isPlain ? report.live.items : undefined}
          onClosed={() => setExporting(undefined)}
        />
      )}
    </div>
  );
}

function Results({ run, view }: { run: QueryRun; view: View }) {
  if (run.results.length === 0) {
    return (
      <p className="empty muted">
        {run.continuation ? 'Nothing on this page yet: ask for the next.' : 'The query has no results.'}
      </p>
    );
  }
  if (view === 'table') return <ResultsTableView results={run.results} />;
  if (view === 'tree') return <ResultsTreeView results={run.results} />;
  return <ResultsJsonView results={run.results} />;
}

function ResultsJsonView({ results }: { results: readonly Json[] }) {
  const text = useMemo(() => printJson(results.slice(0, kJsonMaxItems), 2), [results]);
  return (
    <>
      {results.length > kJsonMaxItems && (
        <p className="muted">The first {countText(kJsonMaxItems)}. Export shows all.</p>
      )}
      <Suspense fallback={<Spinner label="Loading the editor" />}>
        <CodeEditor kind="json" label="Results as JSON" value={text} readOnly height="100%" />
      </Suspense>
    </>
  );
}
