import { acquireBinary, run, SKOPEO } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

/** Runs skopeo, an independent registry client, and returns its output. */
export async function skopeo(...args: string[]): Promise<string> {
  const binary = await acquireBinary(SKOPEO, { cacheDir: testCacheDir, env: testEnv });
  // Without this option skopeo needs /etc/containers/policy.json.
  return run(binary.path, ['--insecure-policy', ...args], { env: { ...testEnv, ...binary.env } });
}
