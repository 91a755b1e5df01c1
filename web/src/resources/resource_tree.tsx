// The tree of databases and containers, beside every page.
import { Button, Input, Spinner, Tooltip } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ArrowSyncRegular } from '@fluentui/react-icons/svg/arrow-sync';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { DatabaseRegular } from '@fluentui/react-icons/svg/database';
import { GaugeRegular } from '@fluentui/react-icons/svg/gauge';
import { CollectionsEmptyRegular } from '@fluentui/react-icons/svg/collections-empty';
import { useState, useSyncExternalStore } from 'react';
import { type Route, hashOf } from '../app/router';
import { useSession } from '../app/session';
import { ErrorBar } from '../parts/error_bar';
import { NewContainerDialog } from './new_container_dialog';
import { matchingNames } from './matching_names';

// What the tree draws at most; the filter finds the others.
const kShownMax = 400;

export function ResourceTree({ route }: { route: Route }) {
  const { names, mayWrite } = useSession();
  const state = useSyncExternalStore(names.subscribe, () => names.state);
  const [filter, setFilter] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [creating, setCreating] = useState(false);
  const { groups, leftOut } = matchingNames(state, filter, kShownMax);

  const toggle = (database: string) => {
    const changed = new Set(closed);
    if (!changed.delete(database)) changed.add(database);
    setClosed(changed);
  };
  return (
    <>
      <a className="tree-link tree-overview" href="#/" aria-current={route.page === 'overview' ? 'page' : undefined}>
        <GaugeRegular /> Overview
      </a>
      <div className="tree-head">
        <h2>Resources</h2>
        <span className="grow" />
        <Tooltip content="Read the names again" relationship="label">
          <Button size="small" appearance="subtle" icon={<ArrowSyncRegular />} onClick={() => void names.refresh()} />
        </Tooltip>
        {mayWrite && (
          <Tooltip content="New container" relationship="label">
            <Button size="small" appearance="subtle" icon={<AddRegular />} onClick={() => setCreating(true)} />
          </Tooltip>
        )}
      </div>
      {(state.databases?.length ?? 0) > 0 && (
        <Input
          className="tree-filter"
          size="small"
          type="search"
          placeholder="Find a name"
          aria-label="Find a database or container"
          value={filter}
          onChange={(_, data) => setFilter(data.value)}
        />
      )}
      <ErrorBar error={state.databases ? undefined : state.error} />
      {!state.databases && !state.error && <Spinner size="tiny" label="Reading names" />}
      {state.databases?.length === 0 && (
        <p className="muted tree-empty">No database yet.{mayWrite && ' Make a container to begin.'}</p>
      )}
      <ul className="tree">
        {groups.map(({ database, containers }) => {
          const open = !closed.has(database);
          const isHere = route.page === 'database' && route.database === database;
          return (
            <li key={database}>
              <div className="tree-row">
                <button
                  type="button"
                  className="tree-toggle"
                  aria-expanded={open}
                  aria-label={`Containers of ${database}`}
                  onClick={() => toggle(database)}
                >
                  {open ? <ChevronDownRegular /> : <ChevronRightRegular />}
                </button>
                <a
                  className="tree-link"
                  href={hashOf({ page: 'database', database })}
                  aria-current={isHere ? 'page' : undefined}
                  title={database}
                >
                  <DatabaseRegular /> <span className="cut">{database}</span>
                </a>
              </div>
              {open && containers.length > 0 && (
                <ul>
                  {containers.map((container) => {
                    const current =
                      route.page === 'container' && route.database === database && route.container === container;
                    // Going from container to container keeps the tab.
                    const tab = route.page === 'container' ? route.tab : 'items';
                    return (
                      <li key={container}>
                        <a
                          className="tree-link tree-leaf"
                          href={hashOf({ page: 'container', database, container, tab })}
                          aria-current={current ? 'page' : undefined}
                          title={container}
                        >
                          <CollectionsEmptyRegular /> <span className="cut">{container}</span>
                        </a>
                      </li>
                    );
                  })}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
      {leftOut > 0 && (
        <p className="muted tree-empty">{leftOut.toLocaleString('en-US')} more: type a part of the name.</p>
      )}
      {creating && (
        <NewContainerDialog
          onClosed={() => setCreating(false)}
          database={route.page === 'overview' ? undefined : route.database}
        />
      )}
    </>
  );
}
