import type { Browser } from 'playwright-core';
import { testEnv } from './config.ts';

/** A real browser without a window; Debian's Chromium, or the one that `CHROMIUM` names. Close it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = testEnv.CHROMIUM ?? '/usr/bin/chromium';
  const { chromium } = await import('playwright-core'); // only here: it takes 0.4 s
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
