import { type Browser, chromium } from 'playwright-core';
import { testEnv } from './config.ts';

/** A real browser without a window; Debian's Chromium, or the one that `CHROMIUM` names. Close it. */
export function openBrowser(): Promise<Browser> {
  const executablePath = testEnv.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
