/**
 * Downloads the official Trivy release. The archive is checked against the checksums file published
 * beside it, which proves that the download is complete but not who made it: both come from the
 * same host, so TLS is what authenticates them. The build from source, pinned by our go.sum, is
 * tried first.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { run } from '../scan/process.ts';
import { PINNED_VERSION } from './version.ts';

export interface ReleaseOptions {
  target: string;
  releases?: string | undefined;
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
}

const RELEASES = 'https://github.com/aquasecurity/trivy/releases/download';
const TIMEOUT_MS = 15 * 60 * 1000;

/** @throws unavailable `SCANNER_UNAVAILABLE` */
export async function downloadTrivy(options: ReleaseOptions): Promise<void> {
  const archive = archiveName(platform(), arch());
  if (!archive) throw failed(`there is no release for ${platform()}/${arch()}`);
  const base = `${options.releases ?? RELEASES}/v${PINNED_VERSION}`;
  const sums = await get(`${base}/trivy_${PINNED_VERSION}_checksums.txt`, options.signal);
  const bytes = await get(`${base}/${archive}`, options.signal);
  assertChecksum(bytes, sums.toString('utf8'), archive);
  await unpack(bytes, options);
}

/** Trivy's archive names, such as `trivy_0.74.0_Linux-64bit.tar.gz`. */
export function archiveName(os: string, cpu: string): string | null {
  const system = { linux: 'Linux', darwin: 'macOS' }[os];
  const machine = { x64: '64bit', arm64: 'ARM64' }[cpu];
  return system && machine ? `trivy_${PINNED_VERSION}_${system}-${machine}.tar.gz` : null;
}

/** The checksums file has one line `<sha256>  <file>` per archive. */
function assertChecksum(bytes: Buffer, sums: string, archive: string): void {
  const line = sums.split('\n').find((each) => each.trim().split(/\s+/)[1] === archive);
  if (!line) throw failed('the release names no checksum for it');
  const found = createHash('sha256').update(bytes).digest('hex');
  if (line.trim().split(/\s+/)[0] !== found) throw failed('the checksum of the download is wrong');
}

async function get(url: string, signal?: AbortSignal): Promise<Buffer> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (!answer.ok) throw failed(`${new URL(url).host} answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TypeError) throw failed(`${new URL(url).host} can't be reached`);
    throw error;
  }
}

async function unpack(bytes: Buffer, { target, env, signal }: ReleaseOptions): Promise<void> {
  const dir = join(dirname(target), `.release-${crypto.randomUUID()}`);
  await mkdir(dir, { recursive: true });
  try {
    await writeFile(join(dir, 'archive.tar.gz'), bytes);
    const result = await run('tar', ['-xzf', 'archive.tar.gz', 'trivy'], {
      cwd: dir,
      env,
      signal,
      timeoutMs: 120_000,
    });
    if (result.code !== 0) throw failed('the archive could not be unpacked');
    await chmod(join(dir, 'trivy'), 0o755);
    await rename(join(dir, 'trivy'), target);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function failed(why: string): Error {
  return unavailable('SCANNER_UNAVAILABLE', `the scanner could not be downloaded: ${why}`);
}
