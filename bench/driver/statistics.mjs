// Repeated measurements.

export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function median(results, field) {
  return medianOf(results.map((result) => result[field]));
}

// Runs each of the named measurements once a round, so that what slows the machine for a while slows all of them.
export async function alternate(rounds, measurements) {
  const results = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(measurements)) results[name].push(await measure());
  }
  return results;
}
