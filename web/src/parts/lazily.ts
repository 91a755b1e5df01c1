// A part of the page that is loaded when it is first needed. While the server is away, it waits for it.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const kRetryMs = 1_500;

export function lazily<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadPatiently(load, serverAnswers, kRetryMs));
}

// Tries again for as long as the server does not answer. A file that it does not give although it answers is no longer
// there: another version of the server has files of other names.
export async function loadPatiently<T>(
  load: () => Promise<T>,
  answers: () => Promise<boolean>,
  retryMs: number,
): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      if (await answers()) return load();
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

async function serverAnswers(): Promise<boolean> {
  try {
    await fetch('./', { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    return true;
  } catch {
    return false;
  }
}
