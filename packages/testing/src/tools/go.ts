/** Runs Go for the programs of the tests; every module's go.sum pins what they are built from. */
import { acquireGo, type Binary, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

export interface GoCall {
  cwd: string;
  env?: Record<string, string>;
  /** Ends the compiler. */
  signal?: AbortSignal | undefined;
}

/** Runs it at low CPU priority and returns its output. @throws unavailable `TOOL_FAILED` */
export async function go(args: string[], { cwd, env = {}, signal }: GoCall): Promise<string> {
  const { path, env: goEnv } = await testGo();
  const fixed = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  return run('nice', [path, ...args], {
    cwd,
    env: { ...testEnv, ...goEnv, ...fixed, ...env },
    signal,
  });
}

function testGo(): Promise<Binary> {
  const log = (text: string) => process.stderr.write(`[portcullis] ${text}\n`);
  return acquireGo({ cacheDir: testCacheDir, env: testEnv, log });
}
