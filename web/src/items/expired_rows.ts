// Takes rows off a list when the lifetimes of their items end.
//
// Which rows seem to be over is judged by the time that the server has shown. Somebody may have written an item anew
// since its row was read, so the server is asked which of them live: these stay as they are now, the others fade and
// go.
import type { ItemPages } from './item_pages';
import type { ItemRow } from './item_row';

interface Options {
  pages: ItemPages<ItemRow>;
  seemsOver: (row: ItemRow) => boolean;
  // The rows of those of the items that live.
  readLiving: (rids: readonly string[]) => Promise<ItemRow[]>;
  // Told which rows fade.
  onGoing: (rids: ReadonlySet<string>) => void;
  fadeMs: number;
}

export class ExpiredRows {
  private isBusy = false;
  private isStopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  // Rows that live although they seem to be over, by the write that was seen: they are not asked for again.
  private readonly alive = new Map<string, number>();

  constructor(private readonly options: Options) {}

  // To be called when the time or the rows have changed. Does nothing while it is at work: it looks again at its end.
  look(): void {
    if (this.isBusy || this.isStopped) return;
    const over = this.thoseOver();
    if (over.length === 0) return;
    this.isBusy = true;
    this.options.readLiving(over).then(
      (rows) => this.judge(over, rows),
      // The server is away: they stay until it can be asked.
      () => {
        this.isBusy = false;
      },
    );
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.options.onGoing(new Set());
  }

  private thoseOver(): string[] {
    const { pages, seemsOver } = this.options;
    const over: string[] = [];
    pages.forEach((row) => {
      if (seemsOver(row) && this.alive.get(row.rid) !== row.lastWrite) over.push(row.rid);
    });
    return over;
  }

  private judge(asked: readonly string[], rows: readonly ItemRow[]): void {
    if (this.isStopped) return;
    const { pages, seemsOver, onGoing, fadeMs } = this.options;
    const living = new Map(rows.map((row) => [row.rid, row]));
    for (const row of rows) if (seemsOver(row)) this.alive.set(row.rid, row.lastWrite);
    pages.update((row) => living.get(row.rid) ?? row);
    const gone = new Set(asked.filter((rid) => !living.has(rid)));
    onGoing(gone);
    this.timer = setTimeout(() => {
      pages.remove((row) => gone.has(row.rid));
      onGoing(new Set());
      this.isBusy = false;
      this.look();
    }, fadeMs);
  }
}
