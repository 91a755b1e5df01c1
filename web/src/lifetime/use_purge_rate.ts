// How many items are purged a second, from one report to the next.
import { useEffect, useRef, useState } from 'react';
import type { TtlReport } from '../api/lapse';

export function usePurgeRate(report: TtlReport): number {
  const before = useRef(report);
  const [rate, setRate] = useState(0);
  useEffect(() => {
    const seconds = (report.uptime_ms - before.current.uptime_ms) / 1000;
    if (seconds > 0) setRate(Math.max(0, report.purged.items - before.current.purged.items) / seconds);
    before.current = report;
  }, [report]);
  return rate;
}
