// Repeated measurements.

export function median(results, field) {
  const values = results.map((result) => result[field]).sort((a, b) => a - b);
  const middle = Math.floor(values.length / 2);
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Runs each of the named measurements once a round, so that what slows the machine for a while slows all of them.
export async function alternate(rounds, measurements) {
  const results = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(measurements)) results[name].push(await measure());
  }
  return results;
}
