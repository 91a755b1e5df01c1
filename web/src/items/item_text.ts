// The text of an item in the editor. System properties are shown apart: the server sets them anew at each write.
import { type JsonObject, printJson } from '../json/lossless_json';

const kSystem = ['_rid', '_self', '_etag', '_ts', '_attachments'];

export function editableText(item: JsonObject): string {
  const shown: JsonObject = new Map(item);
  for (const name of kSystem) shown.delete(name);
  return printJson(shown, 2);
}

// A copy with another id, so that it can be created beside the first.
export function duplicateText(item: JsonObject): string {
  const copy: JsonObject = new Map(item);
  const id = item.get('id');
  copy.set('id', `${typeof id === 'string' ? id.slice(0, 1000) : ''}-copy`);
  return editableText(copy);
}

// The start of a new item: its id and the properties of its partition key.
export function newItemText(keyPaths: readonly (readonly string[])[], id: string): string {
  const item: JsonObject = new Map([['id', id]]);
  for (const names of keyPaths) {
    let place = item;
    names.slice(0, -1).forEach((name) => {
      const inner = place.get(name);
      const next: JsonObject = inner instanceof Map ? inner : new Map();
      place.set(name, next);
      place = next;
    });
    const last = names.at(-1);
    if (last !== undefined && !place.has(last)) place.set(last, '');
  }
  return printJson(item, 2);
}
