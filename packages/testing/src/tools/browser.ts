import type { Browser } from 'playwright-core';
import { testEnv } from '../config.ts';
import { PATIENCE_MS } from '../eventually.ts';
import { chromium } from './chromium.ts';

/** A program that draws as a graphics card would takes a tenth of the processor's time. */
const WITHOUT_GRAPHICS = [
  '--disable-gpu',
  '--disable-gpu-compositing',
  '--disable-software-rasterizer',
];

/** A real headless browser. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const { path: executablePath, env } = await chromium();
  const { chromium: launcher } = await import('playwright-core'); // imported lazily: it takes 0.4 s
  return launcher.launch({
    executablePath,
    env: { ...testEnv, ...env },
    // Most containers have no user namespaces, and the page under test is our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...WITHOUT_GRAPHICS],
    timeout: PATIENCE_MS,
  });
}
