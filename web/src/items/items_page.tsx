// The items of a container: a filter, the list, and the item that is open.
import { Button, Field, Input } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ArrowSyncRegular } from '@fluentui/react-icons/svg/arrow-sync';
import { FilterRegular } from '@fluentui/react-icons/svg/filter';
import { type FormEvent, useMemo, useState } from 'react';
import { ApiError, explain } from '../api/errors';
import { partitionKeyPaths, pathNames } from '../api/partition_key';
import { kFilterStart } from '../api/resources';
import { useSession } from '../app/session';
import { type JsonObject, textOf } from '../json/lossless_json';
import { ErrorBar } from '../parts/error_bar';
import type { ContainerView } from '../resources/container_view';
import { draftOf } from './drafts';
import { ItemGrid } from './item_grid';
import { ItemPanel } from './item_panel';
import { rowOf } from './item_row';
import { duplicateText, newItemText } from './item_text';
import { useItemList } from './use_item_list';
import type { OpenItem } from './use_open_item';

export default function ItemsPage({ id, definition, defaultTtl, onChanged }: ContainerView) {
  const { mayWrite } = useSession();
  const keyPaths = useMemo(() => partitionKeyPaths(definition), [definition]);
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<OpenItem>();
  const list = useItemList(id, keyPaths, filter, defaultTtl);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (typed === filter) list.reload();
    else setFilter(typed);
  };
  const written = (item: JsonObject, isNew: boolean) => {
    onChanged();
    const row = rowOf(item, keyPaths);
    if (isNew) list.reload();
    else list.pages.update((old) => (old.rid === row.rid ? row : old));
  };
  const deleted = (rid: string) => {
    list.pages.remove((row) => row.rid === rid);
    setOpen(undefined);
    onChanged();
  };
  // A name that is not likely to be taken, without asking for one.
  const newId = () => crypto.randomUUID().slice(0, 8);

  const mistake = filter !== '' && list.error instanceof ApiError && list.error.status === 400 ? list.error : undefined;
  const selected = open?.kind === 'stored' ? open.rid : undefined;
  const empty = list.pages.ended && list.pages.count === 0;
  return (
    <div className="items-page">
      <form className="toolbar" onSubmit={apply} role="search" aria-label="Filter items">
        <Field className="grow" validationMessage={mistake ? filterMistake(mistake) : undefined}>
          <Input
            className="mono"
            contentBefore={
              <span className="filter-word">
                <FilterRegular /> WHERE
              </span>
            }
            placeholder="c.user = 'ada' AND c.score > 10"
            aria-label="Filter: a WHERE clause over c"
            value={typed}
            onChange={(_, data) => setTyped(data.value)}
            spellCheck={false}
          />
        </Field>
        <Button type="submit">Apply</Button>
        {filter !== '' && (
          <Button
            appearance="subtle"
            onClick={() => {
              setTyped('');
              setFilter('');
            }}
          >
            Clear
          </Button>
        )}
        <Button
          appearance="subtle"
          icon={<ArrowSyncRegular />}
          aria-label="Read the list again"
          onClick={list.reload}
        />
        {mayWrite && (
          <Button
            appearance="primary"
            icon={<AddRegular />}
            onClick={() =>
              setOpen({ kind: 'new', text: newItemText(keyPaths.map(pathNames), newId()), typed: draftOf(id)?.text })
            }
          >
            New item
          </Button>
        )}
      </form>
      {!mistake && <ErrorBar error={list.error} />}
      <div className={`items-split ${open ? 'items-split-open' : ''}`}>
        {empty ? (
          <div className="empty">
            <p>{filter === '' ? 'No items live here now.' : 'No item matches the filter.'}</p>
          </div>
        ) : (
          <ItemGrid
            key={filter}
            list={list}
            defaultTtl={defaultTtl}
            selected={selected}
            onOpen={(row) => setOpen({ kind: 'stored', item: row.id, key: row.key, rid: row.rid })}
          />
        )}
        {open && (
          <ItemPanel
            key={open.kind === 'stored' ? `${open.rid}` : open.text}
            id={id}
            keyPaths={keyPaths}
            defaultTtl={defaultTtl}
            open={open}
            onClose={() => setOpen(undefined)}
            onWritten={(item, isNew) => {
              written(item, isNew);
              if (isNew) {
                const row = rowOf(item, keyPaths);
                setOpen({ kind: 'stored', item: textOf(item.get('id')) ?? '', key: row.key, rid: row.rid });
              }
            }}
            onDeleted={deleted}
            onDuplicate={(item) => setOpen({ kind: 'new', text: duplicateText(item) })}
          />
        )}
      </div>
    </div>
  );
}

// The place of a mistake is counted in the whole query: people see their own part of it.
function filterMistake(error: ApiError): string {
  const [first] = error.mistakes;
  return first
    ? `At character ${Math.max(1, first.start - kFilterStart.length + 1)}: ${first.message}`
    : explain(error);
}
