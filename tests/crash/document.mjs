// Documents whose whole content follows from a few of their members, so that one that is torn, or mixed from two
// writes, is recognised.
import { createHash } from 'node:crypto';

const kFillerMax = 12_000;

export function documentOf({ pk, id, n, ttl }) {
  const sum = createHash('sha256').update(JSON.stringify([pk, id, n, ttl ?? null])).digest('hex');
  const fillerLength = parseInt(sum.slice(0, 8), 16) % kFillerMax;
  const filler = sum.repeat(Math.ceil(fillerLength / sum.length)).slice(0, fillerLength);
  return { pk, id, n, ...(ttl === undefined ? {} : { ttl }), sum, filler };
}

// Is this, apart from system properties, exactly what was once written?
export function isWhole(document) {
  const own = Object.entries(document).filter(([name]) => !name.startsWith('_'));
  return canonical(own) === canonical(Object.entries(documentOf(document)));
}

function canonical(entries) {
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
