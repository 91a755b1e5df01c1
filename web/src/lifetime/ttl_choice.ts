// What a person chooses for a container's default lifetime, and the value that it stands for.
import { formatDuration, parseDuration } from '../time/duration';
import type { DefaultTtl } from './lifetime';

export interface TtlChoice {
  mode: 'off' | 'no-default' | 'default';
  // What is typed for the duration; kept while another mode is chosen.
  duration: string;
}

export function choiceOf(defaultTtl: DefaultTtl): TtlChoice {
  if (defaultTtl === null) return { mode: 'off', duration: '30 d' };
  if (defaultTtl === -1) return { mode: 'no-default', duration: '30 d' };
  return { mode: 'default', duration: formatDuration(defaultTtl) };
}

// undefined while what is typed is no duration.
export function chosenTtl(choice: TtlChoice): DefaultTtl | undefined {
  if (choice.mode === 'off') return null;
  if (choice.mode === 'no-default') return -1;
  const parsed = parseDuration(choice.duration);
  return 'seconds' in parsed ? parsed.seconds : undefined;
}

export function ttlText(defaultTtl: DefaultTtl): string {
  if (defaultTtl === null) return 'Off';
  return defaultTtl === -1 ? 'On, no default' : formatDuration(defaultTtl);
}
