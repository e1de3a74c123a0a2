import type { Browser } from 'playwright-core';
import { testEnv } from '../config.ts';
import { chromium } from './chromium.ts';

/** A real browser without a window. Close it. */
export async function openBrowser(): Promise<Browser> {
  const { path: executablePath, env } = await chromium();
  const { chromium: launcher } = await import('playwright-core'); // only here: it takes 0.4 s
  return launcher.launch({
    executablePath,
    env: { ...testEnv, ...env },
    // There is no user namespace in most containers, and the page under test is our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: 120_000,
  });
}
