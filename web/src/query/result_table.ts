// Results as a table: which columns there are, and what stands in a cell. Also for CSV.
import { ExactNumber, type Json, isObject, printJson } from '../json/lossless_json';

// The one column of results that are no objects.
export const kValueColumn = 'value';

// Names in the order in which results show them.
export class Columns {
  readonly names: string[] = [];
  private seen = new Set<string>();

  add(result: Json): void {
    for (const name of isObject(result) ? result.keys() : [kValueColumn]) {
      if (this.seen.has(name)) continue;
      this.seen.add(name);
      this.names.push(name);
    }
  }
}

export function cellOf(result: Json, column: string): Json | undefined {
  if (isObject(result)) return result.get(column);
  return column === kValueColumn ? result : undefined;
}

// Strings as they are, all else as JSON; nothing for what is not there.
export function cellText(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : printJson(value);
}

// One field of CSV (RFC 4180). Spreadsheets run texts that begin like a formula: those get an apostrophe in front.
export function csvField(value: Json | undefined): string {
  let text = cellText(value);
  if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function isNumeric(value: Json | undefined): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}
