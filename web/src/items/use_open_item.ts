// The item that is open: what is stored, what was typed, whether it still lives, and the ways to write it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/errors';
import { partitionKeyHeader, partitionKeyOf } from '../api/partition_key';
import { type ContainerId, createItem, deleteItem, readItem, replaceItem } from '../api/resources';
import { useReconnects, useSession } from '../app/session';
import { useShownSecond } from '../app/use_server_time';
import { type JsonObject, parseObject, textOf } from '../json/lossless_json';
import { type DefaultTtl, type Lifetime, isExpired, lifetimeOfItem } from '../lifetime/lifetime';
import { draftOf, keepDraft } from './drafts';
import { editableText } from './item_text';
import { ItemWrite } from './item_write';

// What is open: an item of the list, or one that is to be made, with the text that it begins with.
export type OpenItem =
  | { kind: 'stored'; item: string; key: string; rid: string }
  // `typed`: what was typed in its place before.
  | { kind: 'new'; text: string; typed?: string | undefined };

export interface OpenItemState {
  // undefined while it is not read, and for one that is to be made.
  stored: JsonObject | undefined;
  lifetime: Lifetime | undefined;
  expired: boolean;
  text: string;
  // Whether the text is another than the one that is stored.
  changed: boolean;
  // Whether something was typed that is not saved.
  typed: boolean;
  busy: boolean;
  saved: boolean;
  error: unknown;
  type: (text: string) => void;
  dismissError: () => void;
  // Reads it again, in the place of what was typed.
  read: () => Promise<void>;
  // Gives what was written, or undefined when it was refused: `error` says why.
  save: () => Promise<JsonObject | undefined>;
  // Whether it was deleted.
  remove: () => Promise<boolean>;
}

export function useOpenItem(
  id: ContainerId,
  open: OpenItem,
  keyPaths: readonly string[],
  defaultTtl: DefaultTtl,
): OpenItemState {
  const { client, time } = useSession();
  const rid = open.kind === 'stored' ? open.rid : undefined;
  const [draft] = useState(() => (rid === undefined ? undefined : draftOf(id, rid)));
  const [stored, setStored] = useState<JsonObject | undefined>(draft?.stored);
  const [text, setText] = useState(draft?.text ?? (open.kind === 'new' ? (open.typed ?? open.text) : ''));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);

  const show = useCallback((item: JsonObject) => {
    setStored(item);
    setText(editableText(item));
  }, []);
  const readStored = useCallback(async () => {
    if (open.kind !== 'stored') return undefined;
    return readItem(client, { ...id, item: open.item, itemRid: open.rid, key: open.key });
  }, [client, id, open]);
  const read = useCallback(async () => {
    // Of a new item there is nothing to read: the reason why it could not be saved stays.
    if (rid === undefined) return;
    setError(undefined);
    try {
      const item = await readStored();
      if (item) show(item);
    } catch (problem) {
      setError(problem);
    }
  }, [rid, readStored, show]);
  // What was typed before stays, with the version that it is about.
  const hasDraft = useRef(draft !== undefined);
  useEffect(() => {
    if (!hasDraft.current) void read();
    hasDraft.current = false;
  }, [read]);
  // The server is back: an item that could not be read is read now. One that is there stays, with what was typed.
  const reconnects = useReconnects();
  const isMissing = useRef(true);
  isMissing.current = !stored;
  useEffect(() => {
    if (reconnects > 0 && isMissing.current) void read();
  }, [reconnects, read]);

  const changed = stored ? text !== editableText(stored) : true;
  const typed = stored ? changed : open.kind === 'new' && text !== open.text;
  const lifetime = stored && lifetimeOfItem(stored, defaultTtl);
  const wasTyped = useRef(false);
  const latestLifetime = useRef(lifetime);
  latestLifetime.current = lifetime;
  useEffect(() => {
    const isOver = () => {
      const known = latestLifetime.current;
      return known !== undefined && isExpired(known, Math.floor(time.shownMs / 1000));
    };
    if (typed) keepDraft(id, rid, { text, stored, isOver });
    // Another new item may be open in the place of the one that was typed: that one stays.
    else if (rid !== undefined || wasTyped.current) keepDraft(id, rid, undefined);
    wasTyped.current = typed;
  }, [id, rid, typed, text, stored, time]);

  const expired = useExpired(lifetime, typed, readStored, (item) => textOf(item.get('_rid')) === rid && show(item));

  const writes = useRef(new ItemWrite());
  const save = async () => {
    setBusy(true);
    setError(undefined);
    setSaved(false);
    try {
      const item = parseObject(text);
      const key = open.kind === 'stored' ? open.key : partitionKeyHeader(partitionKeyOf(item, keyPaths));
      const name = textOf((stored ?? item).get('id')) ?? '';
      const target = { ...id, item: name, key, ...(rid === undefined ? {} : { itemRid: rid }) };
      const written = await writes.current.write(
        text,
        (body) =>
          stored
            ? replaceItem(client, target, body, textOf(stored.get('_etag')) ?? '')
            : createItem(client, id, body, key),
        () => readItem(client, target),
      );
      show(written);
      setSaved(true);
      keepDraft(id, rid, undefined);
      return written;
    } catch (problem) {
      setError(problem);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    if (!stored || open.kind !== 'stored') return false;
    try {
      const target = { ...id, item: textOf(stored.get('id')) ?? '', itemRid: open.rid, key: open.key };
      await deleteItem(client, target, textOf(stored.get('_etag')) ?? '');
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    }
  };
  const type = (value: string) => {
    setText(value);
    setSaved(false);
  };
  const dismissError = () => setError(undefined);
  return {
    stored,
    lifetime,
    expired,
    text,
    changed,
    typed,
    busy,
    saved,
    error,
    type,
    dismissError,
    read,
    save,
    remove,
  };
}

// Whether the lifetime has ended, by the server's time. Somebody may have written the item anew: it is looked for, and
// shown as it is now unless something was typed.
function useExpired(
  lifetime: Lifetime | undefined,
  typed: boolean,
  readStored: () => Promise<JsonObject | undefined>,
  onAlive: (item: JsonObject) => void,
): boolean {
  const shown = useShownSecond();
  // What has ended never comes back, whatever a later default says of it.
  const [ended, setEnded] = useState(false);
  const expired = ended || (lifetime !== undefined && isExpired(lifetime, shown));
  const latest = useRef({ typed, onAlive });
  latest.current = { typed, onAlive };
  useEffect(() => {
    if (!expired || latest.current.typed) return;
    readStored().then(
      (item) => {
        if (item && !latest.current.typed) latest.current.onAlive(item);
      },
      (problem: unknown) => {
        if (problem instanceof ApiError && problem.status === 404) setEnded(true);
      },
    );
  }, [expired, readStored]);
  return expired;
}
