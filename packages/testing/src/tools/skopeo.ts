import { acquireBinary, run, SKOPEO } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

/** Runs skopeo, the judge of what we move: a client by other people. Gives what it printed. */
export async function skopeo(...args: string[]): Promise<string> {
  const binary = await acquireBinary(SKOPEO, { cacheDir: testCacheDir, env: testEnv });
  // Without it skopeo refuses to work on a machine that has no /etc/containers/policy.json.
  return run(binary.path, ['--insecure-policy', ...args], { env: { ...testEnv, ...binary.env } });
}
