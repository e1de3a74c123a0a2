import { acquirePinned } from '@portcullis/embedded';
import { TRIVY_PROGRAM } from '@portcullis/scanner';
import { testCacheDir, testEnv } from '../config.ts';

/** The path of the real Trivy: found, downloaded or built. */
export async function testTrivy(): Promise<string> {
  const { path } = await acquirePinned(TRIVY_PROGRAM, { cacheDir: testCacheDir, env: testEnv });
  return path;
}
