// Numbers for people.
const kWhole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const kFine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function countText(count: number): string {
  return kWhole.format(count);
}

// Three digits or so: 0.42, 7.5, 1,204.
export function rateText(value: number): string {
  if (value >= 100) return kWhole.format(value);
  return kFine.format(value >= 10 ? Math.round(value * 10) / 10 : value);
}

const kSizes = ['B', 'KB', 'MB', 'GB', 'TB'];

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < kSizes.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? kWhole.format(value) : rateText(value)} ${kSizes[unit]}`;
}

export function millisecondsText(ms: number): string {
  return ms >= 1000 ? `${kFine.format(ms / 1000)} s` : `${kFine.format(ms)} ms`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
