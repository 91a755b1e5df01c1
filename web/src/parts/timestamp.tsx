// A moment in the reader's zone; UTC is in the tooltip and in `datetime`.
import { Tooltip } from '@fluentui/react-components';
import { localText, utcText } from '../time/dates';

export function Timestamp({ ms }: { ms: number }) {
  const iso = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
  return (
    <Tooltip content={utcText(ms)} relationship="description">
      <time dateTime={iso} tabIndex={-1}>
        {localText(ms)}
      </time>
    </Tooltip>
  );
}
