// What the list keeps of an item: enough for a row and for reading the item itself. Items may have 2 MB, rows have not.
import { type JsonObject, numberOf, printJson, textOf } from '../json/lossless_json';
import { partitionKeyHeader, partitionKeyOf, partitionKeyText } from '../api/partition_key';

export interface ItemRow {
  id: string;
  rid: string;
  // The partition key for people, and as the header carries it.
  keyText: string;
  key: string;
  lastWrite: number;
  ownTtl: number | undefined;
  preview: string;
}

const kTextMax = 200;
// System properties, and what other columns show.
const kLeftOut = new Set(['id', '_rid', '_self', '_etag', '_ts', '_attachments', 'ttl']);

export function rowOf(item: JsonObject, keyPaths: readonly string[]): ItemRow {
  const values = partitionKeyOf(item, keyPaths);
  return {
    id: textOf(item.get('id')) ?? '',
    rid: textOf(item.get('_rid')) ?? '',
    keyText: cut(partitionKeyText(values)),
    key: partitionKeyHeader(values),
    lastWrite: numberOf(item.get('_ts')) ?? 0,
    ownTtl: numberOf(item.get('ttl')),
    preview: previewOf(item),
  };
}

function previewOf(item: JsonObject): string {
  let text = '';
  for (const [name, value] of item) {
    if (kLeftOut.has(name)) continue;
    // A long value is cut before it is printed: it may be most of 2 MB.
    const shown = typeof value === 'string' ? JSON.stringify(cut(value)) : printJson(value);
    text += `${text === '' ? '' : ', '}${name}: ${shown}`;
    if (text.length > kTextMax) break;
  }
  return cut(text);
}

function cut(text: string): string {
  return text.length <= kTextMax ? text : `${text.slice(0, kTextMax)}…`;
}
