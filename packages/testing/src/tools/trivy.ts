import { acquirePinned } from '@portcullis/embedded';
import { TRIVY_PROGRAM } from '@portcullis/scanner';
import { testCacheDir, testEnv } from '../config.ts';

/** Time limit of the first build; later ones use the cache. */
export const TRIVY_BUILD_MS = 30 * 60 * 1000;

/**
 * The path of the real Trivy: found, downloaded or built. Use `TRIVY_BUILD_MS` as the time limit of
 * `beforeAll`.
 */
export async function testTrivy(): Promise<string> {
  const { path } = await acquirePinned(TRIVY_PROGRAM, { cacheDir: testCacheDir, env: testEnv });
  return path;
}
