/** Builds Trivy from its Go module: 6 minutes on two cores, 168 MB. */
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { run } from '../scan/process.ts';
import { PINNED_VERSION } from './version.ts';

export interface BuildOptions {
  goBinary: string;
  target: string;
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
}

const MODULE_DIR = join(import.meta.dirname, '..', '..', 'trivy');
const COMMAND = 'github.com/aquasecurity/trivy/cmd/trivy';
const STAMP = `github.com/aquasecurity/trivy/pkg/version/app.ver=${PINNED_VERSION}`;
const TIMEOUT_MS = 60 * 60 * 1000;

/**
 * The binary is renamed into place when it is complete. @throws unavailable `SCANNER_UNAVAILABLE`
 */
export async function buildTrivy({ goBinary, target, env, signal }: BuildOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.${crypto.randomUUID()}`;
  const args = [
    'build',
    '-mod=readonly',
    '-trimpath',
    '-ldflags',
    `-s -w -X ${STAMP}`,
    '-o',
    draft,
    COMMAND,
  ];
  // GOEXPERIMENT: versions 0.67 to 0.74 import encoding/json/v2. GOWORK: no workspace above may
  // change the pins.
  const goEnv = {
    ...env,
    CGO_ENABLED: '0',
    GOEXPERIMENT: 'jsonv2',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
  };
  try {
    const result = await run(goBinary, args, {
      cwd: MODULE_DIR,
      env: goEnv,
      signal,
      nice: true,
      timeoutMs: TIMEOUT_MS,
    });
    if (result.code !== 0)
      throw failed(result.timedOut ? 'it took longer than an hour' : lastLine(result.stderr));
    await chmod(draft, 0o755);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

function failed(why: string): Error {
  return unavailable('SCANNER_UNAVAILABLE', `the scanner could not be built: ${why}`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
