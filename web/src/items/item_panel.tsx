// One item: its JSON, its lifetime, and what can be done with it. A save replaces the very version that was read.
import { Button, Spinner } from '@fluentui/react-components';
import { ArrowSyncRegular } from '@fluentui/react-icons/svg/arrow-sync';
import { CopyRegular } from '@fluentui/react-icons/svg/copy';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { SaveRegular } from '@fluentui/react-icons/svg/save';
import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/errors';
import { partitionKeyHeader, partitionKeyOf } from '../api/partition_key';
import { type ContainerId, createItem, deleteItem, readItem, replaceItem } from '../api/resources';
import { useReconnects, useSession } from '../app/session';
import { useSecond, useShownSecond } from '../app/use_server_time';
import { type JsonObject, JsonError, numberOf, parseObject, textOf } from '../json/lossless_json';
import { type DefaultTtl, isExpired, lifetimeOfItem } from '../lifetime/lifetime';
import { ConfirmBody } from '../parts/confirm_body';
import { ErrorBar } from '../parts/error_bar';
import { Modal } from '../parts/modal';
import { Timestamp } from '../parts/timestamp';
import { draftOf, keepDraft } from './drafts';
import { editableText } from './item_text';
import { ItemWrite } from './item_write';
import { LifetimeCell } from './lifetime_cell';

const CodeEditor = lazy(() => import('../parts/code_editor'));

// What is open: an item of the list, or the text of one that is to be made.
export type OpenItem = { kind: 'stored'; item: string; key: string; rid: string } | { kind: 'new'; text: string };

interface Props {
  id: ContainerId;
  keyPaths: readonly string[];
  defaultTtl: DefaultTtl;
  open: OpenItem;
  onClose: () => void;
  // An item was written: the list shows it.
  onWritten: (item: JsonObject, isNew: boolean) => void;
  onDeleted: (rid: string) => void;
  onDuplicate: (item: JsonObject) => void;
}

export function ItemPanel({ id, keyPaths, defaultTtl, open, onClose, onWritten, onDeleted, onDuplicate }: Props) {
  const { client, mayWrite } = useSession();
  const rid = open.kind === 'stored' ? open.rid : undefined;
  const [draft] = useState(() => (rid === undefined ? undefined : draftOf(id, rid)));
  const [stored, setStored] = useState<JsonObject | undefined>(draft?.stored);
  const [text, setText] = useState(draft?.text ?? (open.kind === 'new' ? open.text : ''));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const now = useSecond();
  const shown = useShownSecond();
  const { database, container } = id;

  const load = useCallback(async () => {
    if (open.kind !== 'stored') return;
    setError(undefined);
    try {
      const item = await readItem(client, { database, container, item: open.item, key: open.key });
      setStored(item);
      setText(editableText(item));
    } catch (problem) {
      setError(problem);
    }
  }, [client, database, container, open]);
  // What was typed before stays, with the version that it is about.
  const hasDraft = useRef(draft !== undefined);
  useEffect(() => {
    if (!hasDraft.current) void load();
    hasDraft.current = false;
  }, [load]);
  // The server is back: an item that could not be read is read now. One that is there stays, with what was typed.
  const reconnects = useReconnects();
  const isMissing = useRef(true);
  isMissing.current = !stored;
  useEffect(() => {
    if (reconnects > 0 && isMissing.current) void load();
  }, [reconnects, load]);

  const writes = useRef(new ItemWrite());
  const mistake = mistakeOf(text);
  const changed = stored ? text !== editableText(stored) : true;
  const lifetime = stored && lifetimeOfItem(stored, defaultTtl);
  // What has ended never comes back, whatever a later default says of it.
  const [ended, setEnded] = useState(false);
  const expired = ended || (lifetime !== undefined && isExpired(lifetime, shown));
  const typed = stored ? changed : open.kind === 'new' && text !== open.text;
  useEffect(() => {
    keepDraft({ database, container }, rid, typed ? { text, stored } : undefined);
  }, [database, container, rid, typed, text, stored]);
  // Somebody may have written it anew: then it is not gone.
  const isTyped = useRef(typed);
  isTyped.current = typed;
  useEffect(() => {
    if (expired && !isTyped.current) void look();
    async function look() {
      if (open.kind !== 'stored') return;
      try {
        const item = await readItem(client, { database, container, item: open.item, key: open.key });
        if (textOf(item.get('_rid')) !== open.rid || isTyped.current) return;
        setStored(item);
        setText(editableText(item));
      } catch (problem) {
        if (problem instanceof ApiError && problem.status === 404) setEnded(true);
      }
    }
  }, [expired, client, database, container, open]);

  const save = async () => {
    if (mistake || busy || !changed || !mayWrite) return;
    setBusy(true);
    setError(undefined);
    setSaved(false);
    try {
      const item = parseObject(text);
      const key = open.kind === 'stored' ? open.key : partitionKeyHeader(partitionKeyOf(item, keyPaths));
      const target = { database, container, item: textOf((stored ?? item).get('id')) ?? '', key };
      const written = await writes.current.write(
        text,
        (body) =>
          stored
            ? replaceItem(client, target, body, textOf(stored.get('_etag')) ?? '')
            : createItem(client, target, body, key),
        () => readItem(client, target),
      );
      setStored(written);
      setText(editableText(written));
      onWritten(written, !stored);
      setSaved(true);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  const remove = async () => {
    if (!stored || open.kind !== 'stored') return;
    try {
      await deleteItem(
        client,
        { database, container, item: textOf(stored.get('id')) ?? '', key: open.key },
        textOf(stored.get('_etag')) ?? '',
      );
      onDeleted(open.rid);
    } catch (problem) {
      setError(problem);
    }
  };

  const title = stored ? textOf(stored.get('id')) : open.kind === 'new' ? 'New item' : open.item;
  return (
    <section className="item-panel" aria-label={open.kind === 'new' ? 'New item' : 'Item'}>
      <div className="item-panel-head">
        <h2 className="cut" title={title}>
          <bdi>{title}</bdi>
        </h2>
        <span className="grow" />
        {stored && mayWrite && (
          <Button size="small" appearance="subtle" icon={<CopyRegular />} onClick={() => onDuplicate(stored)}>
            Duplicate
          </Button>
        )}
        {open.kind === 'stored' && (
          <Button
            size="small"
            appearance="subtle"
            icon={<ArrowSyncRegular />}
            aria-label="Read the item again"
            onClick={() => void load()}
          />
        )}
        <Button size="small" appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />
      </div>
      <ErrorBar error={error} onDismiss={() => setError(undefined)} />
      {expired && (
        <p role="status" className="gone-note">
          Its lifetime has ended: the item is gone. The text below is what it was.
        </p>
      )}
      {lifetime && stored && !expired && (
        <div className="item-facts">
          <LifetimeCell lifetime={lifetime} now={now} />
          <span className="muted">
            written <Timestamp ms={(numberOf(stored.get('_ts')) ?? 0) * 1000} />
          </span>
        </div>
      )}
      {open.kind === 'stored' && !stored ? (
        !error && <Spinner label="Reading the item" />
      ) : (
        <Suspense fallback={<Spinner label="Loading the editor" />}>
          <CodeEditor
            kind="json"
            label="JSON of the item"
            value={text}
            onChange={(value) => {
              setText(value);
              setSaved(false);
            }}
            readOnly={!mayWrite || expired}
            height="100%"
            onCommit={() => void save()}
          />
        </Suspense>
      )}
      {mayWrite && (stored || open.kind === 'new') && (
        <div className="item-panel-foot">
          <Button
            appearance="primary"
            icon={<SaveRegular />}
            disabled={!!mistake || busy || !changed || expired}
            onClick={() => void save()}
          >
            {stored ? 'Save' : 'Create item'}
          </Button>
          {stored && open.kind === 'stored' && (
            <Button icon={<DeleteRegular />} disabled={busy || expired} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          <span role="status" className={mistake ? 'problem' : 'muted'}>
            {mistake ?? (saved ? 'Saved. The countdown begins anew.' : typed && stored ? 'Changed and not saved.' : '')}
          </span>
        </div>
      )}
      {deleting && (
        <Modal onClosed={() => setDeleting(false)}>
          <ConfirmBody title="Delete this item?" action="Delete item" onConfirm={() => void remove()}>
            {title} will be gone. There is no way back.
          </ConfirmBody>
        </Modal>
      )}
    </section>
  );
}

function mistakeOf(text: string): string | undefined {
  try {
    parseObject(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) {
      const line = text.slice(0, error.position).split('\n').length;
      return `Line ${line}: ${error.message}.`;
    }
    throw error;
  }
}
