// A moment in the reader's zone and in UTC, where there is room for both.
import { isoText, localText, utcText } from '../time/dates';

export function BothTimes({ ms }: { ms: number }) {
  return (
    <time className="both-times" dateTime={isoText(ms)}>
      <span>{localText(ms)}</span> <span className="utc">{utcText(ms)}</span>
    </time>
  );
}
