/** The registry's program, CNCF distribution. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unavailable } from '@portcullis/errors';
import type { Binary, BinaryOptions } from './binary.ts';
import { buildProgram, type GoModule } from './build.ts';
import { fillOnce } from './cache.ts';
import { acquirePinned, type PinnedOptions, type PinnedProgram } from './pinned.ts';
import { run } from './run.ts';

const VERSION = '3.1.2';
const MODULE: GoModule = {
  dir: fileURLToPath(new URL('../../distribution', import.meta.url)),
  command: 'github.com/distribution/distribution/v3/cmd/registry',
  stamp: `github.com/distribution/distribution/v3/version.version=v${VERSION}`,
};

/** @throws unavailable `PROGRAM_MISSING` */
export async function acquireRegistry(options: PinnedOptions): Promise<Binary> {
  const { path } = await acquirePinned(await registryProgram(), options);
  return { path, env: {} };
}

/** @returns the path of the program, of the platform `goarch` or of this machine's */
export async function builtRegistry(options: BinaryOptions, goarch?: string): Promise<string> {
  const { name, pin } = await registryProgram();
  const dir = join(options.cacheDir, name, goarch === undefined ? pin : `${pin}-${goarch}`);
  const build = (draft: string) => buildProgram(MODULE, join(draft, name), { ...options, goarch });
  await fillOnce(dir, build, options);
  return join(dir, name);
}

const releaseFor = (arch: string, sha256: string) => ({
  url: `distribution/distribution/releases/download/v${VERSION}/registry_${VERSION}_linux_${arch}.tar.gz`,
  sha256,
  member: 'registry',
});

async function registryProgram(): Promise<PinnedProgram> {
  const pins = await readFile(join(MODULE.dir, 'go.sum'));
  const mark = createHash('sha256').update(pins).digest('hex').slice(0, 12);
  return {
    name: 'registry',
    title: `the registry (distribution ${VERSION})`,
    pin: `${VERSION}-${mark}`,
    // `docker-registry` is its name in Debian, whose version 2.8 serves the same storage.
    names: ['registry', 'docker-registry'],
    releases: {
      x64: releaseFor('amd64', '40df2224d410f72ae425c3371873b078bbdbda3b8b612be9571f0e6751f3acc8'),
      arm64: releaseFor(
        'arm64',
        '09d26f88d2c0f161bd1b8bfc6c123571cc3d291dcca8af5477b3cacc4ec95e73',
      ),
    },
    module: MODULE,
    buildTime: 'a minute',
    check: versionOf,
    missing,
  };
}

/** `registry github.com/distribution/distribution/v3 v3.1.2` */
async function versionOf(path: string, signal?: AbortSignal): Promise<string | null> {
  const output = await run(path, ['--version'], { env: {}, signal });
  return /\bv?(\d+\.\d+\.\d+)\S*\s*$/.exec(output)?.[1] ?? null;
}

function missing(reasons: readonly string[]) {
  const text = `no registry (CNCF distribution) is on PATH, and none could be had; install one, or set REGISTRY_URL to a running one. (${reasons.join('; ')})`;
  return unavailable('PROGRAM_MISSING', text);
}
