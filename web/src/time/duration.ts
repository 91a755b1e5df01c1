// Durations as people say them: `30 d`, `12 h`, `1 h 30 min`, `90 s`, `90`.

interface Unit {
  seconds: number;
  short: string;
  names: string[];
}

const kUnits: Unit[] = [
  { seconds: 86_400, short: 'd', names: ['d', 'day', 'days'] },
  { seconds: 3_600, short: 'h', names: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: 60, short: 'min', names: ['min', 'm', 'mins', 'minute', 'minutes'] },
  { seconds: 1, short: 's', names: ['s', 'sec', 'secs', 'second', 'seconds'] },
];
// Understood, and shown as days.
const kLongUnits: Unit[] = [
  { seconds: 7 * 86_400, short: 'w', names: ['w', 'week', 'weeks'] },
  { seconds: 365 * 86_400, short: 'y', names: ['y', 'year', 'years'] },
];

export const kTtlMax = 2_147_483_647;

export type ParsedDuration = { seconds: number } | { error: string };

const kHint = 'Write it as 90 s, 30 min, 12 h, 30 d or 2 w.';

// Whole seconds from 1 to the longest lifetime that a container or an item can have.
export function parseDuration(text: string): ParsedDuration {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '') return { error: `Enter a duration. ${kHint}` };
  const parts = /^\d+$/.test(trimmed) ? [[trimmed, 's']] : splitParts(trimmed);
  if (!parts) return { error: `"${text.trim()}" is no duration. ${kHint}` };
  let total = 0;
  for (const [number, name] of parts) {
    const unit = [...kUnits, ...kLongUnits].find((candidate) => candidate.names.includes(name!));
    if (!unit) return { error: `"${name}" is no unit of time. ${kHint}` };
    total += Number(number) * unit.seconds;
  }
  if (!Number.isInteger(total)) return { error: 'Durations are whole seconds.' };
  if (total < 1) return { error: 'The shortest duration is 1 s.' };
  if (total > kTtlMax) return { error: `The longest duration is ${kTtlMax} s, about 68 years.` };
  return { seconds: total };
}

function splitParts(text: string): string[][] | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)];
  return parts.map((part) => part[0]).join('') === text && parts.length > 0
    ? parts.map((part) => [part[1]!, part[2]!])
    : undefined;
}

// Exact, and as `parseDuration` reads it: `30 d`, `1 h 30 min`.
export function formatDuration(seconds: number): string {
  return unitParts(seconds).join(' ') || '0 s';
}

// For a countdown: the two largest units, so that it stays short while it changes.
export function formatCountdown(seconds: number): string {
  if (seconds <= 0) return '0 s';
  return unitParts(seconds).slice(0, 2).join(' ');
}

function unitParts(seconds: number): string[] {
  let rest = Math.floor(seconds);
  const parts: string[] = [];
  for (const unit of kUnits) {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    if (count > 0) parts.push(`${count} ${unit.short}`);
  }
  return parts;
}
