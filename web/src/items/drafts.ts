// What was typed into items and is not saved: it is there again when the item is opened the next time, wherever people
// went meanwhile. Kept for as long as the page is open.
import type { ContainerId } from '../api/resources';
import { ridParts } from '../api/rids';
import type { JsonObject } from '../json/lossless_json';

export interface Draft {
  text: string;
  // The version that it changes; none for an item that is to be made.
  stored: JsonObject | undefined;
  // Whether the item's lifetime has ended: nobody can open it any more.
  isOver: () => boolean;
}

const drafts = new Map<string, Draft>();

// `rid`: of the item; none for a new one, of which each container has one draft.
function nameOf(id: ContainerId, rid: string | undefined): string {
  return JSON.stringify([id.database, id.container, rid]);
}

export function draftOf(id: ContainerId, rid?: string): Draft | undefined {
  return drafts.get(nameOf(id, rid));
}

export function keepDraft(id: ContainerId, rid: string | undefined, draft: Draft | undefined): void {
  if (draft) drafts.set(nameOf(id, rid), draft);
  else drafts.delete(nameOf(id, rid));
}

// Of items of a container that is not there any more. `id` has the rid of the one that is there under its name, if any.
export function forgetDrafts(id: ContainerId): void {
  for (const name of drafts.keys()) {
    const [database, container, rid] = JSON.parse(name) as [string, string, string | null];
    if (database !== id.database || container !== id.container || rid === null) continue;
    if (id.rid === undefined || ridParts(rid)[3] !== id.rid) drafts.delete(name);
  }
}

// The browser asks before it closes a page with something that is not saved.
addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some((draft) => !draft.isOver())) event.preventDefault();
});
