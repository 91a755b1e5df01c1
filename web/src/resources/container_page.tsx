// A container: its head and its tabs. Another kind of collection would bring tabs of its own (see `kTabs`).
import { Button, Spinner } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../api/errors';
import { type TtlReport, readTtl } from '../api/lapse';
import { deleteContainer, readContainer } from '../api/resources';
import { partitionKeyPaths } from '../api/partition_key';
import { type ContainerTab, goTo, hashOf } from '../app/router';
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { forgetDrafts } from '../items/drafts';
import { type JsonObject, textOf } from '../json/lossless_json';
import { ConfirmNameDialog } from '../parts/confirm_name_dialog';
import { ErrorBar } from '../parts/error_bar';
import { lazily } from '../parts/lazily';
import { bytesText, plural } from '../parts/numbers';
import { Tabs } from '../parts/tabs';
import { TtlBadge } from './container_table';
import type { ContainerView } from './container_view';
import { GonePage } from './gone_page';

const ItemsPage = lazily(() => import('../items/items_page'));
const QueryPage = lazily(() => import('../query/query_page'));
const LifetimePage = lazily(() => import('../lifetime/lifetime_page'));
const SettingsPage = lazily(() => import('./settings_page'));

const kTabs: { value: ContainerTab; label: string; page: React.ComponentType<ContainerView> }[] = [
  { value: 'items', label: 'Items', page: ItemsPage },
  { value: 'query', label: 'Query', page: QueryPage },
  { value: 'lifetime', label: 'Lifetime', page: LifetimePage },
  { value: 'settings', label: 'Settings', page: SettingsPage },
];

interface Props {
  database: string;
  container: string;
  tab: ContainerTab;
}

// Follows the container of this name: it may be deleted under the open page, and another one be made in its place.
export default function ContainerPage({ database, container, tab }: Props) {
  const { client, names, misplaced } = useSession();
  // The rid of the container that a dialog asks about.
  const [deleting, setDeleting] = useState<string>();
  const poll = usePoll(`container ${database}\n${container}`, 2_000, async (signal) => {
    const [definition, report] = await Promise.all([
      readContainer(client, { database, container }, signal),
      readTtl(client, database, container, {}, signal),
    ]);
    return { definition, report, rid: textOf(definition.get('_rid')) ?? '' };
  });
  const { value, error, refresh } = poll;
  useEffect(() => misplaced.subscribe(refresh), [misplaced, refresh]);
  const isGone = error instanceof ApiError && error.status === 404;
  const rid = value?.rid;
  useEffect(() => {
    const isUnnamed = rid !== undefined && !names.state.containers.get(database)?.includes(container);
    if (isGone || isUnnamed) void names.refresh();
    if (isGone) forgetDrafts({ database, container });
    else if (rid !== undefined) forgetDrafts({ database, container, rid });
  }, [isGone, rid, names, database, container]);

  // A dialog says itself how it went.
  const isAsking = deleting !== undefined && deleting === value?.rid;
  if (isGone && !isAsking)
    return <GonePage kind="container" name={container} up={{ page: 'database', database }} upName={database} />;
  if (!value)
    return (
      <div className="page">
        <ErrorBar error={error} />
        {!error && <Spinner className="page-spinner" label="Reading the container" />}
      </div>
    );
  return (
    <>
      <OneContainer
        key={value.rid}
        {...{ database, container, tab }}
        {...value}
        onChanged={refresh}
        onDelete={() => setDeleting(value.rid)}
      />
      {isAsking && (
        <ConfirmNameDialog
          title="Delete this container?"
          name={container}
          action="Delete for ever"
          onClosed={() => setDeleting(undefined)}
          onConfirm={async () => {
            await deleteContainer(client, { database, container, rid: value.rid });
            await names.refresh();
          }}
          onDone={() => goTo({ page: 'database', database })}
        >
          <p>{plural(value.report.live.items, 'item')} will be gone. There is no way back.</p>
        </ConfirmNameDialog>
      )}
    </>
  );
}

interface OneProps extends Props {
  rid: string;
  definition: JsonObject;
  report: TtlReport;
  onChanged: () => void;
  onDelete: () => void;
}

function OneContainer({ database, container, tab, rid, definition, report, onChanged, onDelete }: OneProps) {
  const { mayWrite } = useSession();
  const id = useMemo(() => ({ database, container, rid }), [database, container, rid]);
  const Page = kTabs.find((candidate) => candidate.value === tab)!.page;
  const { live, policy } = report;
  return (
    <div className="page container-page">
      <div className="page-head">
        <div className="page-title">
          <p className="eyebrow">
            <a className="text-link" href={hashOf({ page: 'database', database })}>
              {database}
            </a>
          </p>
          <h1 className="wrap-anywhere">{container}</h1>
        </div>
        <TtlBadge defaultTtl={policy.defaultTtl} />
        <span className="muted" data-testid="live-count">
          {plural(live.items, 'item')}, {bytesText(live.bytes)}
        </span>
        <span className="muted cut mono">{partitionKeyPaths(definition).join(' ')}</span>
        <span className="grow" />
        {mayWrite && (
          <Button size="small" appearance="subtle" icon={<DeleteRegular />} onClick={onDelete}>
            Delete container
          </Button>
        )}
      </div>
      <Tabs
        label="Views of the container"
        tabs={kTabs}
        selected={tab}
        onSelect={(value) => goTo({ page: 'container', database, container, tab: value })}
      />
      <Suspense fallback={<Spinner className="page-spinner" label="Loading the page" />}>
        <Page id={id} definition={definition} report={report} defaultTtl={policy.defaultTtl} onChanged={onChanged} />
      </Suspense>
    </div>
  );
}
