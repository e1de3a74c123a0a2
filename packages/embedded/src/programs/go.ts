/**
 * Finds Go for programs that are built from source: the machine's own where it is recent enough,
 * else the toolchain that the Go module proxy serves as a module. Its hash is pinned here as go.sum
 * would pin it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@portcullis/errors';
import {
  acquireBinary,
  type Binary,
  type BinaryOptions,
  findOnPath,
  type Program,
} from './binary.ts';
import { fillOnce } from './cache.ts';
import { downloadFile } from './download.ts';
import { withProgress } from './progress.ts';
import { run } from './run.ts';

/** The version with which all our modules can be built. */
const VERSION = '1.26.8';
const OLDEST = [1, 26, 3] as const;

/** `h1:` sums from sum.golang.org, by Node's name of the platform. */
const TOOLCHAINS: Readonly<Record<string, { platform: string; sum: string }>> = {
  x64: { platform: 'linux-amd64', sum: 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=' },
  arm64: { platform: 'linux-arm64', sum: 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=' },
};

const PROXY = 'https://proxy.golang.org';

const UNZIP: Program = { names: ['unzip'], package: 'unzip', file: 'usr/bin/unzip', probe: ['-v'] };

export interface GoOptions extends BinaryOptions {
  /**
   * Whether the machine's own Go is accepted, by the output of `go version`; by default any recent
   * one.
   */
  accepts?: ((version: string) => boolean) | undefined;
  /**
   * Where a Go of ours keeps sources and intermediate results; by default in the cache, for later
   * builds.
   */
  places?: string | undefined;
}

/** `env` must be added to its environment. @throws unavailable `GO_MISSING` */
export async function acquireGo(options: GoOptions): Promise<Binary> {
  const own = await ownGo(options);
  if (own !== null) return { path: own, env: {} };
  const toolchain = TOOLCHAINS[process.arch];
  if (process.platform !== 'linux' || toolchain === undefined)
    throw missing(`Go's toolchain for ${process.platform}-${process.arch} is not pinned`);
  const root = join(options.cacheDir, 'go', VERSION);
  const how = {
    ...options,
    onWait: () => options.log?.('waiting for another process that fetches Go'),
  };
  await fillOnce(root, (draft) => fetchToolchain(toolchain, draft, options), how);
  return {
    path: join(root, 'bin', 'go'),
    env: {
      ...placesIn(options.places ?? join(options.cacheDir, 'go')),
      ...namedCache(options.env),
    },
  };
}

function placesIn(dir: string): Record<string, string> {
  return { GOPATH: join(dir, 'path'), GOCACHE: join(dir, 'build'), GOTOOLCHAIN: 'local' };
}

/** As any Go, ours uses the cache that the environment names. */
function namedCache({ GOCACHE }: GoOptions['env']): Record<string, string> {
  return GOCACHE === undefined ? {} : { GOCACHE };
}

async function ownGo({ env, signal, accepts = isRecentGo }: GoOptions): Promise<string | null> {
  const path = await findOnPath('go', env.PATH);
  if (path === null) return null;
  const version = await run(path, ['version'], {
    env: { ...env, GOTOOLCHAIN: 'local' },
    cwd: '/',
    signal,
  }).catch(() => '');
  signal?.throwIfAborted();
  return accepts(version) ? path : null;
}

/** `go version go1.26.3 linux/amd64` */
export function isRecentGo(version: string): boolean {
  const found = /\bgo(\d+)\.(\d+)(?:\.(\d+))?(?=\s|$)/.exec(version);
  if (found === null) return false;
  const [major = 0, minor = 0, patch = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const [oldMajor, oldMinor, oldPatch] = OLDEST;
  if (major !== oldMajor) return major > oldMajor;
  return minor === oldMinor ? patch >= oldPatch : minor > oldMinor;
}

async function fetchToolchain(
  { platform, sum }: { platform: string; sum: string },
  draft: string,
  options: GoOptions,
): Promise<void> {
  const version = `v0.0.1-go${VERSION}.${platform}`;
  const module = `golang.org/toolchain@${version}`;
  const archive = join(draft, 'toolchain.zip');
  const path = `golang.org/toolchain/@v/${version}.zip`;
  const progress = { doing: `downloading Go ${VERSION}, 70 MB, once`, log: options.log };
  await withProgress(progress, () => fromProxies(path, archive, options));
  const unzip = await acquireBinary(UNZIP, options);
  await run(unzip.path, ['-q', archive, '-d', draft], {
    env: { ...options.env, ...unzip.env },
    signal: options.signal,
  });
  await rm(archive);
  const found = await moduleSum(draft);
  if (found !== sum) throw missing(`the hash of ${module} is ${found}, not ${sum}`);
  await extract(join(draft, module), draft);
}

/** Modules have no file modes. */
async function extract(module: string, root: string): Promise<void> {
  for (const name of await readdir(module)) await rename(join(module, name), join(root, name));
  await rm(join(root, 'golang.org'), { recursive: true });
  for (const dir of ['bin', 'pkg/tool']) {
    const entries = await readdir(join(root, dir), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile()))
      await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/** The servers in GOPROXY; `direct` and `off` do not apply to something that only a proxy has. */
export function proxiesOf(given: string | undefined): string[] {
  const named = (given ?? '').split(/[,|]/).map((each) => each.trim());
  const servers = named
    .filter((each) => /^https?:\/\//.test(each))
    .map((each) => each.replace(/\/+$/, ''));
  return servers.length > 0 || named.includes('off') ? servers : [PROXY];
}

async function fromProxies(
  path: string,
  target: string,
  { env, signal }: GoOptions,
): Promise<void> {
  const faults: string[] = [];
  for (const proxy of proxiesOf(env.GOPROXY)) {
    const fault = await downloadFile(`${proxy}/${path}`, target, signal);
    if (fault === null) return;
    faults.push(fault);
  }
  throw missing(faults.join('; ') || 'GOPROXY is off');
}

/**
 * The `h1:` hash of a module (golang.org/x/mod/sumdb/dirhash): that of the list of its files'
 * hashes.
 */
export async function moduleSum(dir: string): Promise<string> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort(byBytes);
  const list = createHash('sha256');
  for (const name of names) list.update(`${await hashOf(join(dir, name))}  ${name}\n`);
  return `h1:${list.digest('base64')}`;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function missing(why: string) {
  return unavailable(
    'GO_MISSING',
    `Go ${OLDEST.join('.')} or newer is not on PATH and could not be fetched: ${why}`,
  );
}
