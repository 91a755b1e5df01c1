// Dates for people: in the reader's zone, and in UTC beside it.

const kLocal = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function localText(ms: number): string {
  return isShown(ms) ? kLocal.format(ms) : 'beyond the calendar';
}

export function utcText(ms: number): string {
  return isShown(ms) ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC` : 'beyond the calendar';
}

// For `datetime`.
export function isoText(ms: number): string | undefined {
  return isShown(ms) ? new Date(ms).toISOString() : undefined;
}

export function bothTexts(ms: number): string {
  return `${localText(ms)} here, ${utcText(ms)}`;
}

// JavaScript's dates end in the year 275760.
function isShown(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}
