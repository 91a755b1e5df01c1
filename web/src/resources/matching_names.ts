// Which names the tree shows for what was typed into its filter.
import type { NamesState } from './resource_names';

export interface NameGroup {
  database: string;
  containers: string[];
}

// A database whose own name matches shows all of its containers. At most `max` names; `leftOut` counts the others.
export function matchingNames(
  state: Pick<NamesState, 'databases' | 'containers'>,
  filter: string,
  max: number,
): { groups: NameGroup[]; leftOut: number } {
  const wanted = filter.trim().toLowerCase();
  const groups: NameGroup[] = [];
  let shown = 0;
  let leftOut = 0;
  for (const database of state.databases ?? []) {
    const all = state.containers.get(database) ?? [];
    const databaseMatches = database.toLowerCase().includes(wanted);
    const matching = databaseMatches ? all : all.filter((name) => name.toLowerCase().includes(wanted));
    if (!databaseMatches && matching.length === 0) continue;
    const room = Math.max(0, max - shown - 1);
    if (shown >= max) {
      leftOut += matching.length + 1;
      continue;
    }
    groups.push({ database, containers: matching.slice(0, room) });
    shown += 1 + Math.min(matching.length, room);
    leftOut += Math.max(0, matching.length - room);
  }
  return { groups, leftOut };
}
