// Addresses by `_rid`, for what a browser cannot ask for by name.
//
// Browsers take the names `.` and `..` for steps in the path, however they are written. Such resources, and all that is
// in them, are asked for by rid. A rid holds those of its parents: 4 bytes of the database, 8 with the container, 16
// with the item, in base64 with `-` for `/`.

export function isStep(name: string): boolean {
  return name === '.' || name === '..';
}

const kKinds: readonly [type: string, bytes: number][] = [
  ['dbs', 4],
  ['colls', 8],
  ['docs', 16],
];

// The parts of the path of a database, a container or an item: `dbs/{rid}/colls/{rid}/docs/{rid}`.
export function ridParts(rid: string): string[] {
  const bytes = atob(rid.replaceAll('-', '/'));
  return kKinds
    .filter(([, length]) => length <= bytes.length)
    .flatMap(([type, length]) => [type, btoa(bytes.slice(0, length)).replaceAll('/', '-')]);
}
