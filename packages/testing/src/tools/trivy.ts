import { createLogger } from '@portcullis/runtime';
import { acquireTrivy } from '@portcullis/scanner';
import { testCacheDir, testEnv } from '../config.ts';
import { testGo } from './go.ts';

/** Time limit of the first build; later ones use the cache. */
export const TRIVY_BUILD_MS = 30 * 60 * 1000;

/**
 * The path of the real Trivy: found, or built. Use `TRIVY_BUILD_MS` as the time limit of
 * `beforeAll`.
 */
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
