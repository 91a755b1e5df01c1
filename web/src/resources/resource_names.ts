// The names of databases and containers, for the tree: read when they are needed, told to whoever listens.
import type { Client } from '../api/client';
import { listContainers, listDatabases } from '../api/resources';

export interface NamesState {
  // undefined: not read yet.
  databases: string[] | undefined;
  containers: ReadonlyMap<string, string[]>;
  error: unknown;
}

export class ResourceNames {
  state: NamesState = { databases: undefined, containers: new Map(), error: undefined };
  private sights = new Map<string, string>();
  private listeners = new Set<() => void>();

  constructor(private readonly client: Client) {}

  async refresh(): Promise<void> {
    try {
      const databases = await listDatabases(this.client);
      const lists = await Promise.all(databases.map(async (name) => [name, await this.containersOf(name)] as const));
      this.change({ databases, containers: new Map(lists), error: undefined });
    } catch (error) {
      this.change({ ...this.state, error });
    }
  }

  // What a page has seen of the names, in any form: another sight than its last one means that somebody else has made
  // or deleted something.
  notice(page: string, sight: string): void {
    if (this.sights.get(page) === sight) return;
    this.sights.set(page, sight);
    void this.refresh();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  // A database that is dropped between the two lists has no containers.
  private async containersOf(database: string): Promise<string[]> {
    return listContainers(this.client, database).catch(() => []);
  }

  private change(state: NamesState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
