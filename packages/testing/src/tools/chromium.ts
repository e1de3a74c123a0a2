import { acquireBinary, type Binary, type Program } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

export const CHROMIUM: Program = {
  names: ['chromium', 'chromium-browser', 'google-chrome'],
  package: 'chromium',
  // The launcher beside it looks for its files in the machine's own /usr.
  file: 'usr/lib/chromium/chromium',
  probe: ['--version', '--no-sandbox'],
};

/** The browser that walks through the web page. */
export function chromium(): Promise<Binary> {
  return acquireBinary(CHROMIUM, { cacheDir: testCacheDir, env: testEnv });
}
