// A database: its containers at a glance, and its end.
import { Button, Spinner } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/errors';
import { type ContainerStats, kStatsMax, readStats } from '../api/lapse';
import { deleteDatabase } from '../api/resources';
import { goTo } from '../app/router';
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { ConfirmNameDialog } from '../parts/confirm_name_dialog';
import { ErrorBar } from '../parts/error_bar';
import { bytesText, countText, plural } from '../parts/numbers';
import { ContainerTable } from './container_table';
import { GonePage } from './gone_page';
import { NewContainerDialog } from './new_container_dialog';

export default function DatabasePage({ database }: { database: string }) {
  const { client, mayWrite, names } = useSession();
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const stats = usePoll(`database ${database}`, 2_000, (signal) =>
    readStats(client, kStatsMax, null, signal, database),
  );
  const isGone = stats.error instanceof ApiError && stats.error.status === 404;
  const containers: ContainerStats[] = stats.value?.containers ?? [];
  const items = containers.reduce((sum, container) => sum + container.live.items, 0);
  const bytes = containers.reduce((sum, container) => sum + container.live.bytes, 0);

  const sight = isGone ? 'gone' : stats.value && containers.map(({ container }) => container).join('\n');
  useEffect(() => {
    if (sight !== undefined) names.notice(`database ${database}`, sight);
  }, [names, database, sight]);

  if (isGone && !deleting)
    return <GonePage kind="database" name={database} up={{ page: 'overview' }} upName="Overview" />;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <p className="eyebrow">Database</p>
          <h1 className="wrap-anywhere">{database}</h1>
        </div>
        <span className="grow" />
        {mayWrite && (
          <>
            <Button appearance="primary" icon={<AddRegular />} onClick={() => setCreating(true)}>
              New container
            </Button>
            <Button icon={<DeleteRegular />} onClick={() => setDeleting(true)}>
              Delete database
            </Button>
          </>
        )}
      </div>
      <ErrorBar error={stats.value ? undefined : stats.error} />
      {!stats.value && !stats.error && <Spinner label="Reading" />}
      {stats.value && (
        <>
          <p className="muted">
            {plural(stats.value.existing, 'container')}, {plural(items, 'item')}, {bytesText(bytes)}
          </p>
          {containers.length > 0 ? (
            <ContainerTable containers={containers} caption={`Containers of ${database}`} withDatabase={false} />
          ) : (
            <p>No container yet.</p>
          )}
          {stats.value.existing > containers.length && (
            <p className="muted">The first {countText(containers.length)} by name.</p>
          )}
        </>
      )}
      {creating && <NewContainerDialog database={database} onClosed={() => setCreating(false)} />}
      {deleting && (
        <ConfirmNameDialog
          title="Delete this database?"
          name={database}
          action="Delete for ever"
          onClosed={() => setDeleting(false)}
          onConfirm={async () => {
            await deleteDatabase(client, database);
            await names.refresh();
          }}
          onDone={() => goTo({ page: 'overview' })}
        >
          <p>
            {plural(stats.value?.existing ?? 0, 'container')} with {plural(items, 'item')} will be gone. There is no way
            back.
          </p>
        </ConfirmNameDialog>
      )}
    </div>
  );
}
