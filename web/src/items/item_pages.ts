// The rows of a list that can be millions long, in bounded memory.
//
// The API gives pages one after another, each by the continuation of the one before. The continuations of all pages
// seen are kept (they are short), the rows only of the pages around those that are looked at. A page whose rows were
// dropped is read again by its continuation when it is looked at again. Where rows have gone meanwhile, it then reaches
// into the next one: a row that a neighbour has is left out.

export interface LoadedPage<Row> {
  rows: Row[];
  continuation: string | null;
}

export type LoadPage<Row> = (continuation: string | null, isFirst: boolean) => Promise<LoadedPage<Row>>;

interface Page<Row> {
  // How to get it: null for the first.
  from: string | null;
  // How many rows it has, or had when they were dropped.
  count: number;
  rows: Row[] | undefined;
  loading: boolean;
  lastUse: number;
}

// After a page could not be read again.
const kRetryMs = 2_000;

export class ItemPages<Row> {
  private pages: Page<Row>[] = [];
  private starts: number[] = [];
  // The continuation behind the last page; null at the end of the feed.
  private next: string | null = null;
  private begun = false;
  private uses = 0;
  loadingMore = false;

  constructor(
    private readonly load: LoadPage<Row>,
    private readonly onChange: () => void,
    private readonly keyOf: (row: Row) => unknown,
    private readonly pagesInMemory = 40,
    // The continuations of so many rows take some ten megabytes.
    private readonly rowsMax = 10_000_000,
  ) {}

  get count(): number {
    const last = this.pages.length - 1;
    return last < 0 ? 0 : this.starts[last]! + this.pages[last]!.count;
  }

  get ended(): boolean {
    return this.begun && this.next === null;
  }

  get full(): boolean {
    return !this.ended && this.count >= this.rowsMax;
  }

  get rowsInMemory(): number {
    return this.pages.reduce((sum, page) => sum + (page.rows?.length ?? 0), 0);
  }

  // The next page, if there is one and it is not on its way.
  async loadMore(): Promise<void> {
    if (this.loadingMore || this.ended || this.full) return;
    this.loadingMore = true;
    const from = this.next;
    const isFirst = !this.begun;
    try {
      const { rows, continuation } = await this.load(from, isFirst);
      this.begun = true;
      this.next = continuation;
      // A page may come without rows, when all it passed had expired.
      if (rows.length > 0) this.pages.push({ from, count: rows.length, rows, loading: false, lastUse: ++this.uses });
      this.changed();
    } finally {
      this.loadingMore = false;
    }
  }

  // The row, or undefined while it has to be read again; asking for it does that.
  row(index: number): Row | undefined {
    const at = this.pageOf(index);
    const page = this.pages[at];
    if (!page) return undefined;
    page.lastUse = ++this.uses;
    if (!page.rows) void this.reload(page);
    return page.rows?.[index - this.starts[at]!];
  }

  // Every row that is in memory.
  forEach(visit: (row: Row) => void): void {
    for (const page of this.pages) page.rows?.forEach(visit);
  }

  // Takes rows out of the list; true if there were any.
  remove(isGone: (row: Row) => boolean): boolean {
    return this.replaceRows((rows) => rows.filter((row) => !isGone(row)));
  }

  update(change: (row: Row) => Row): void {
    this.replaceRows((rows) => rows.map(change));
  }

  private replaceRows(change: (rows: Row[]) => Row[]): boolean {
    let changed = false;
    for (const page of this.pages) {
      if (!page.rows) continue;
      const rows = change(page.rows);
      if (rows.length === page.rows.length && rows.every((row, at) => row === page.rows![at])) continue;
      page.rows = rows;
      page.count = rows.length;
      changed = true;
    }
    if (changed) this.changed();
    return changed;
  }

  private async reload(page: Page<Row>): Promise<void> {
    if (page.loading) return;
    page.loading = true;
    try {
      const { rows } = await this.load(page.from, page === this.pages[0]);
      page.rows = this.withoutNeighbours(page, rows);
      page.count = page.rows.length;
      page.lastUse = ++this.uses;
      page.loading = false;
      this.changed();
    } catch {
      // The rows stay blank for a while. Then those who look at them try again.
      setTimeout(() => {
        page.loading = false;
        this.onChange();
      }, kRetryMs);
    }
  }

  private withoutNeighbours(page: Page<Row>, rows: Row[]): Row[] {
    const at = this.pages.indexOf(page);
    const there = new Set<unknown>();
    for (const neighbour of [this.pages[at - 1], this.pages[at + 1]]) {
      neighbour?.rows?.forEach((row) => there.add(this.keyOf(row)));
    }
    return rows.filter((row) => !there.has(this.keyOf(row)));
  }

  private changed(): void {
    this.dropUnused();
    this.starts = [];
    let start = 0;
    for (const page of this.pages) {
      this.starts.push(start);
      start += page.count;
    }
    this.onChange();
  }

  private dropUnused(): void {
    const held = this.pages.filter((page) => page.rows);
    if (held.length <= this.pagesInMemory) return;
    held.sort((a, b) => a.lastUse - b.lastUse);
    for (const page of held.slice(0, held.length - this.pagesInMemory)) page.rows = undefined;
  }

  private pageOf(index: number): number {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! + this.pages[middle]!.count <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
