// Partition keys of items: their paths, their values, the header that carries them.
import { type Json, type JsonObject, isObject, member, printJson, textOf } from '../json/lossless_json';

// The names of a path: /address/city is two, /"a/b" is one.
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map((match) =>
    match[1] === undefined ? match[2]! : match[1].replace(/\\(.)/g, '$1'),
  );
}

export function partitionKeyPaths(definition: JsonObject): string[] {
  const paths = member(definition.get('partitionKey'), 'paths');
  return Array.isArray(paths) ? paths.flatMap((path) => textOf(path) ?? []) : [];
}

function valueAt(item: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = item;
  for (const name of pathNames(path)) value = member(value, name);
  return value;
}

// The values of an item's key; undefined: the item does not have one.
export function partitionKeyOf(item: JsonObject, paths: readonly string[]): (Json | undefined)[] {
  return paths.map((path) => {
    const value = valueAt(item, path);
    // Arrays and objects are no keys: they count as missing.
    return Array.isArray(value) || isObject(value) ? undefined : value;
  });
}

// The value of `x-ms-documentdb-partitionkey`: a JSON array in ASCII, with {} for what is missing.
export function partitionKeyHeader(values: readonly (Json | undefined)[]): string {
  const text = printJson(values.map((value) => value ?? (value === null ? null : (new Map() as JsonObject))));
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// For people: `ada`, `42`, `tenant / ada`, `(none)`.
export function partitionKeyText(values: readonly (Json | undefined)[]): string {
  return values
    .map((value) => (value === undefined ? '(none)' : typeof value === 'string' ? value : printJson(value)))
    .join(' / ');
}
