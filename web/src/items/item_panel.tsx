// One item: its JSON, its lifetime, and what can be done with it. A save replaces the very version that was read.
import { Button, Spinner } from '@fluentui/react-components';
import { ArrowSyncRegular } from '@fluentui/react-icons/svg/arrow-sync';
import { CopyRegular } from '@fluentui/react-icons/svg/copy';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { SaveRegular } from '@fluentui/react-icons/svg/save';
import { Suspense, useMemo, useState } from 'react';
import type { ContainerId } from '../api/resources';
import { useSession } from '../app/session';
import { useSecond } from '../app/use_server_time';
import { type JsonObject, JsonError, numberOf, parseObject, textOf } from '../json/lossless_json';
import { changedNumbers } from '../json/stored_numbers';
import type { DefaultTtl, Lifetime } from '../lifetime/lifetime';
import { BothTimes } from '../parts/both_times';
import { ConfirmBody } from '../parts/confirm_body';
import { ErrorBar } from '../parts/error_bar';
import { lazily } from '../parts/lazily';
import { Modal } from '../parts/modal';
import { plural } from '../parts/numbers';
import { LifetimeCell } from './lifetime_cell';
import { type OpenItem, useOpenItem } from './use_open_item';

// Of a number with very many digits.
const kNumberShown = 60;

const CodeEditor = lazily(() => import('../parts/code_editor'));

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
  const { mayWrite } = useSession();
  const item = useOpenItem(id, open, keyPaths, defaultTtl);
  const { stored, lifetime, expired, text, changed, typed, busy, saved, error } = item;
  const [deleting, setDeleting] = useState(false);
  const now = useSecond();
  const { mistake, warning } = useMemo(() => judge(text), [text]);

  const save = async () => {
    if (mistake || busy || !changed || !mayWrite) return;
    const isNew = !stored;
    const written = await item.save();
    if (written) onWritten(written, isNew);
  };
  const remove = async () => {
    if ((await item.remove()) && open.kind === 'stored') onDeleted(open.rid);
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
            onClick={() => void item.read()}
          />
        )}
        <Button size="small" appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />
      </div>
      <ErrorBar error={error} onDismiss={item.dismissError} />
      {expired && (
        <p role="status" className="gone-note">
          Its lifetime has ended: the item is gone.{' '}
          {typed
            ? 'What you typed is not saved: copy it if you need it, or make a new item of it.'
            : 'The text below is what it was.'}
        </p>
      )}
      {lifetime && stored && !expired && (
        <div className="item-facts">
          <LifetimeCell lifetime={lifetime} now={now} />
          <dl className="item-dates">
            <dt>written</dt>
            <dd>
              <BothTimes ms={(numberOf(stored.get('_ts')) ?? 0) * 1000} />
            </dd>
            {lifetime.deadline !== null && (
              <>
                <dt>gone at</dt>
                <dd>
                  <BothTimes ms={lifetime.deadline * 1000} />
                </dd>
              </>
            )}
          </dl>
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
            onChange={item.type}
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
          {warning && typed && (
            <p role="status" className="number-note">
              {warning}
            </p>
          )}
          <span role="status" className={mistake ? 'problem' : 'muted'}>
            {mistake ?? statusOf(saved, typed && !!stored && !expired, lifetime)}
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

function statusOf(saved: boolean, isUnsaved: boolean, lifetime: Lifetime | undefined): string {
  if (saved) return lifetime?.deadline == null ? 'Saved.' : 'Saved. The countdown begins anew.';
  return isUnsaved ? 'Changed and not saved.' : '';
}

interface Judgement {
  // Why it cannot be saved.
  mistake?: string;
  // What will not be saved as it is written.
  warning?: string;
}

function judge(text: string): Judgement {
  const lineOf = (position: number) => text.slice(0, position).split('\n').length;
  try {
    parseObject(text);
  } catch (error) {
    if (error instanceof JsonError) return { mistake: `Line ${lineOf(error.position)}: ${error.message}.` };
    throw error;
  }
  const changed = changedNumbers(text);
  const [first] = changed;
  if (!first) return {};
  const others = changed.length > 1 ? ` So are ${plural(changed.length - 1, 'other number')}.` : '';
  const warning =
    `Line ${lineOf(first.from)}: ${first.written.slice(0, kNumberShown)} is stored as ${first.stored}.${others} ` +
    'Numbers have 64 bits: write one with more digits as a string to keep it.';
  return { warning };
}
