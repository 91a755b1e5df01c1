// Writes all results of a query, page by page, as the parts of a file.
import { type Json, printJson } from '../json/lossless_json';
import { Columns, cellOf, csvField } from './result_table';

export type ExportForm = 'json' | 'csv';
export type NextPage = (continuation: string | null) => Promise<{ values: Json[]; continuation: string | null }>;

// What a tab can hold with ease.
export const kExportMaxBytes = 512 * 1024 * 1024;

export class ExportTooLarge extends Error {
  constructor() {
    super('The result is larger than 512 MB. Export it in parts, with a WHERE clause.');
  }
}

// The texts of a file, in their order. `onProgress` is told after each page how many results are written.
export async function exportResults(
  form: ExportForm,
  nextPage: NextPage,
  onProgress: (results: number) => void,
  maxBytes = kExportMaxBytes,
): Promise<string[]> {
  const writer = form === 'json' ? new JsonWriter() : new CsvWriter();
  let continuation: string | null = null;
  let results = 0;
  do {
    const page: Awaited<ReturnType<NextPage>> = await nextPage(continuation);
    for (const value of page.values) writer.add(value);
    results += page.values.length;
    if (writer.size > maxBytes) throw new ExportTooLarge();
    onProgress(results);
    continuation = page.continuation;
  } while (continuation);
  return writer.parts();
}

class JsonWriter {
  private texts: string[] = [];
  size = 0;

  add(value: Json): void {
    const text = (this.texts.length === 0 ? '' : ',\n') + printJson(value);
    this.texts.push(text);
    this.size += text.length;
  }

  parts(): string[] {
    return ['[\n', ...this.texts, '\n]\n'];
  }
}

// Columns are known when the last result is: rows are written with those known so far, and filled up at the end.
class CsvWriter {
  private columns = new Columns();
  private rows: { text: string; columns: number }[] = [];
  size = 0;

  add(value: Json): void {
    this.columns.add(value);
    const { names } = this.columns;
    const text = names.map((name) => csvField(cellOf(value, name))).join(',');
    this.rows.push({ text, columns: names.length });
    this.size += text.length;
  }

  parts(): string[] {
    const { names } = this.columns;
    const head = `${names.map(csvField).join(',')}\r\n`;
    return [head, ...this.rows.map(({ text, columns }) => `${text}${','.repeat(names.length - columns)}\r\n`)];
  }
}
