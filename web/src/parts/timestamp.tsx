// A moment in the reader's zone; UTC is in the tooltip and in `datetime`.
import { localText, utcText } from '../time/dates';

export function Timestamp({ ms }: { ms: number }) {
  const iso = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
  return (
    <time dateTime={iso} title={utcText(ms)}>
      {localText(ms)}
    </time>
  );
}
