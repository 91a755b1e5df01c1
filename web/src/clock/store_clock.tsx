// The server's time in the header.
import { Badge, Tooltip } from '@fluentui/react-components';
import { useSession } from '../app/session';
import { useSecond } from '../app/use_server_time';
import { BothTimes } from '../parts/both_times';
import { utcText } from '../time/dates';

export function StoreClock() {
  const { time } = useSession();
  const second = useSecond();
  if (!time.known) return null;
  return (
    <Tooltip content={`Store time: lifetimes are counted by it. ${utcText(second * 1000)}`} relationship="description">
      <span className="store-clock" tabIndex={0}>
        <BothTimes ms={second * 1000} />
        {time.frozen && (
          <Badge appearance="filled" color="informative" size="small">
            frozen
          </Badge>
        )}
      </span>
    </Tooltip>
  );
}
