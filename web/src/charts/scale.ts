// Round numbers for the axis of a chart.

// The smallest of 1, 2, 5, 10, 20, ... that is not below the value.
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 4, 5, 8, 10]) if (factor * power >= value) return factor * power;
  return 10 * power;
}

// At most `count` indexes of `total` steps, evenly spread, beginning with 0.
export function spreadIndexes(total: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(total / count));
  return Array.from({ length: Math.ceil(total / step) }, (_, at) => at * step);
}

// What is drawn for a count: nothing for none, and never less than can be seen.
export function visible(count: number, least: number): number | null {
  return count === 0 ? null : Math.max(count, least);
}
