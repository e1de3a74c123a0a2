import { createLogger } from '@portcullis/runtime';
import { acquireTrivy } from '@portcullis/scanner';
import { testCacheDir, testEnv } from '../config.ts';
import { testGo } from './go.ts';

/** What the first build may take; later ones find it in the cache. */
export const TRIVY_BUILD_MS = 30 * 60 * 1000;

/** The path of the real scanner: found, or built on the spot. Give its `beforeAll` the time of `TRIVY_BUILD_MS`. */
export async function testTrivy(): Promise<string> {
  const log = createLogger({ name: 'testing', level: 'silent' });
  const { path } = await acquireTrivy({
    cacheDir: testCacheDir,
    env: testEnv,
    log,
    fetchGo: testGo,
  });
  return path;
}
