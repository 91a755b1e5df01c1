// A container: its head and its tabs. Another kind of collection would bring tabs of its own (see `kTabs`).
import { Button, Spinner } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { Suspense, lazy, useState } from 'react';
import { readTtl } from '../api/lapse';
import { deleteContainer, readContainer } from '../api/resources';
import { partitionKeyPaths } from '../api/partition_key';
import { type ContainerTab, goTo, hashOf } from '../app/router';
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { ConfirmNameDialog } from '../parts/confirm_name_dialog';
import { ErrorBar } from '../parts/error_bar';
import { bytesText, plural } from '../parts/numbers';
import { Tabs } from '../parts/tabs';
import { TtlBadge } from './container_table';
import type { ContainerView } from './container_view';

const ItemsPage = lazy(() => import('../items/items_page'));
const QueryPage = lazy(() => import('../query/query_page'));
const LifetimePage = lazy(() => import('../lifetime/lifetime_page'));
const SettingsPage = lazy(() => import('./settings_page'));

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

export default function ContainerPage({ database, container, tab }: Props) {
  const { client, mayWrite, names } = useSession();
  const [deleting, setDeleting] = useState(false);
  const id = { database, container };
  const definition = usePoll(`definition ${database}\n${container}`, 30_000, (signal) =>
    readContainer(client, id, signal),
  );
  const report = usePoll(`report ${database}\n${container}`, 2_000, (signal) =>
    readTtl(client, database, container, {}, signal),
  );
  const Page = kTabs.find((candidate) => candidate.value === tab)!.page;

  const live = report.value?.live;
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
        {report.value && <TtlBadge defaultTtl={report.value.policy.defaultTtl} />}
        {live && (
          <span className="muted" data-testid="live-count">
            {plural(live.items, 'item')}, {bytesText(live.bytes)}
          </span>
        )}
        {definition.value && <span className="muted cut mono">{partitionKeyPaths(definition.value).join(' ')}</span>}
        <span className="grow" />
        {mayWrite && (
          <Button size="small" appearance="subtle" icon={<DeleteRegular />} onClick={() => setDeleting(true)}>
            Delete container
          </Button>
        )}
      </div>
      <Tabs
        label="Views of the container"
        tabs={kTabs}
        selected={tab}
        onSelect={(value) => goTo({ page: 'container', ...id, tab: value })}
      />
      <ErrorBar error={definition.value ? undefined : definition.error} />
      {definition.value && report.value ? (
        <Suspense fallback={<Spinner className="page-spinner" label="Loading the page" />}>
          <Page
            id={id}
            definition={definition.value}
            report={report.value}
            defaultTtl={report.value.policy.defaultTtl}
            onChanged={() => {
              definition.refresh();
              report.refresh();
            }}
          />
        </Suspense>
      ) : (
        !definition.error && <Spinner className="page-spinner" label="Reading the container" />
      )}
      {deleting && (
        <ConfirmNameDialog
          title="Delete this container?"
          name={container}
          action="Delete for ever"
          onClosed={() => setDeleting(false)}
          onConfirm={async () => {
            await deleteContainer(client, id);
            await names.refresh();
          }}
          onDone={() => goTo({ page: 'database', database })}
        >
          <p>{plural(live?.items ?? 0, 'item')} will be gone. There is no way back.</p>
        </ConfirmNameDialog>
      )}
    </div>
  );
}
