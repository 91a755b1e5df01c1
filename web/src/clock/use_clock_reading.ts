// Follows the server's time: one small request every two seconds; every second with a test clock, which others may
// move.
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { readClock } from '../api/lapse';

export function useClockReading() {
  const { client, access, time } = useSession();
  return usePoll('clock', access.test_clock ? 1_000 : 2_000, async (signal) => {
    const { value, sentAt } = await readClock(client, signal);
    time.observe(value.now_ms, value.frozen, sentAt);
    return value;
  });
}
