/**
 * The registry's program, CNCF distribution: the one on PATH, else built from its Go module, whose
 * go.sum pins every byte. The build takes a minute on two cores, once.
 */
import { createHash } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAppError, unavailable } from '@portcullis/errors';
import { type Binary, type BinaryOptions, findOnPath } from './binary.ts';
import { fillOnce } from './cache.ts';
import { acquireGo } from './go.ts';
import { withProgress } from './progress.ts';
import { run } from './run.ts';

/** `docker-registry` is its name in Debian, whose version 2.8 serves the same storage. */
const NAMES = ['registry', 'docker-registry'];

const VERSION = '3.1.2';
const COMMAND = 'github.com/distribution/distribution/v3/cmd/registry';
const STAMP = `github.com/distribution/distribution/v3/version.version=v${VERSION}`;
const MODULE_DIR = fileURLToPath(new URL('../../distribution', import.meta.url));

/** @throws unavailable `PROGRAM_MISSING` */
export async function acquireRegistry(options: BinaryOptions): Promise<Binary> {
  for (const name of NAMES) {
    const path = await findOnPath(name, options.env.PATH);
    if (path !== null) return { path, env: {} };
  }
  try {
    return { path: await builtRegistry(options), env: {} };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw missing(error);
  }
}

/** @returns the path of the program, of the platform `goarch` or of this machine's */
export async function builtRegistry(options: BinaryOptions, goarch?: string): Promise<string> {
  const pins = await readFile(join(MODULE_DIR, 'go.sum'));
  const mark = createHash('sha256').update(pins).digest('hex').slice(0, 12);
  const place = [VERSION, mark, ...(goarch === undefined ? [] : [goarch])].join('-');
  const dir = join(options.cacheDir, 'registry', place);
  const onWait = () => options.log?.('waiting for another process that builds the registry');
  await fillOnce(dir, (draft) => build(join(draft, 'registry'), options, goarch), {
    ...options,
    onWait,
  });
  return join(dir, 'registry');
}

async function build(target: string, options: BinaryOptions, goarch?: string): Promise<void> {
  const go = await acquireGo(options);
  const { env, log, signal } = options;
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', `-s -w -X ${STAMP}`];
  // GOWORK: no workspace above may change the pins.
  const fixed = { CGO_ENABLED: '0', GOFLAGS: '', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const goEnv = { ...env, ...go.env, ...fixed, ...(goarch !== undefined && { GOARCH: goarch }) };
  const doing = `building the registry (distribution ${VERSION}) from its Go module, a minute, once`;
  await withProgress({ doing, log }, () =>
    run(go.path, ['build', ...flags, '-o', target, COMMAND], {
      cwd: MODULE_DIR,
      env: goEnv,
      signal,
    }),
  );
  await chmod(target, 0o755);
}

function missing(cause: unknown) {
  const why = isAppError(cause) ? cause.message : String(cause);
  const text = `no registry (CNCF distribution) is on PATH, and it could not be built; install one, or set REGISTRY_URL to a running one. (${why})`;
  return unavailable('PROGRAM_MISSING', text, { cause });
}
