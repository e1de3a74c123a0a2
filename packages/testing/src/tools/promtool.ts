import { acquireBinary, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const PROMTOOL: Program = {
  names: ['promtool'],
  package: 'prometheus',
  file: 'usr/bin/promtool',
  probe: ['--version'],
};

/**
 * Runs Prometheus' promtool, which checks alert rules, and metrics that it is given.
 * @throws unavailable `TOOL_FAILED` with its findings
 */
export async function promtool(args: string[], input?: string): Promise<string> {
  const { path, env } = await acquireBinary(PROMTOOL, { cacheDir: testCacheDir, env: testEnv });
  return run(path, args, { env: { ...testEnv, ...env }, input });
}
