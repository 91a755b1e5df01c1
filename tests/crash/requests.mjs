// Where things are, as requests name them.
export const partitionKey = (item) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify([item.pk]) });

export const pathOfContainer = (container) => ['dbs', 'db', 'colls', container.id];
export const docsOf = (container) => [...pathOfContainer(container), 'docs'];
export const keyDeletionIn = (container) => [...pathOfContainer(container), 'operations', 'partitionkeydelete'];
export const pathOfItem = (item) => [...docsOf(item.container), item.id];

export function definitionOf(container, defaultTtl) {
  const definition = { id: container.id, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } };
  return defaultTtl === undefined ? definition : { ...definition, defaultTtl };
}
