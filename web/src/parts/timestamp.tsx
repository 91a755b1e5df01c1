// A moment in the reader's zone, where there is no room for UTC: it is in the tooltip and in `datetime`, and what this
// stands for has a place where both can be read (see `BothTimes`).
import { isoText, localText, utcText } from '../time/dates';

export function Timestamp({ ms }: { ms: number }) {
  return (
    <time dateTime={isoText(ms)} title={utcText(ms)}>
      {localText(ms)}
    </time>
  );
}
