// Debian's Chromium, driven by playwright-core, which is one of the packages of web/.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const fromWeb = createRequire(new URL('../../../web/package.json', import.meta.url));
const kPrograms = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function launchBrowser() {
  const executablePath = kPrograms.find((program) => program && existsSync(program));
  if (!executablePath) throw new Error('no Chromium: install-deps browser installs it, CHROMIUM names another');
  const { chromium } = fromWeb('playwright-core');
  // Chromium has no sandbox for root. The page talks to loopback alone.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

export const kAxeSource = fromWeb.resolve('axe-core/axe.min.js');
