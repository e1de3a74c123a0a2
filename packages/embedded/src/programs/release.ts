/**
 * Downloads the release of a program and unpacks it. The hash of the archive is pinned here, so it
 * does not matter who serves it.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { causeOf } from './download.ts';
import { run } from './run.ts';

export interface ProgramRelease {
  url: string;
  /** Of the archive, in hexadecimal. */
  sha256: string;
  /** The name of the program in the archive. */
  member: string;
}

export interface ReleaseOptions {
  /** Contains what was downloaded before an abort: a later call goes on there. */
  downloads: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Called where the server takes long to answer or to send, which goes on. */
  slow: () => void;
  /** Called with each part. */
  onBytes?: ((received: number, total: number | null) => void) | undefined;
}

/** The rate is looked at this often, the first time also whether there is an answer at all. */
const LOOK_MS = 3_000;
/** Less on average is slow. */
const BYTES_PER_SECOND = 1_000_000;
/** After which a server that sends nothing is given up. */
const SILENCE_MS = 60_000;
const MAX_BYTES = 512 * 1024 * 1024;

/** Unpacks the program to `target`. @throws Error that says why, or the signal's reason */
export async function fetchRelease(
  release: ProgramRelease,
  target: string,
  options: ReleaseOptions,
): Promise<void> {
  await mkdir(options.downloads, { recursive: true });
  const archive = join(options.downloads, `${release.sha256}.tar.gz`);
  const found = await receive(release.url, archive, options);
  if (found !== release.sha256) {
    await rm(archive, { force: true });
    throw new Error(`${hostOf(release.url)} sent other bytes than the pinned ones (${found})`);
  }
  await unpack(archive, release.member, target, options);
  await rm(archive, { force: true });
}

const hostOf = (url: string) => new URL(url).host;

/** @returns the hash of the whole archive */
async function receive(url: string, archive: string, options: ReleaseOptions): Promise<string> {
  const before = await sizeOf(archive);
  const watch = watchRate(options.slow);
  const signal = AbortSignal.any([options.signal, watch.silent]);
  try {
    const answer = await fetch(url, { headers: rangeFrom(before), signal });
    // What is there is complete, or of another archive: its hash says so.
    if (answer.status === 416) return (await hashOf(archive)).digest('hex');
    if (!answer.ok || answer.body === null) throw new Error(`it answered ${answer.status}`);
    const from = answer.status === 206 ? before : 0;
    const hash = from > 0 ? await hashOf(archive) : createHash('sha256');
    const total = totalOf(answer, from);
    const meter = metered(hash, from, (received) => {
      watch.count(received - from);
      options.onBytes?.(received, total);
    });
    const file = createWriteStream(archive, { flags: from > 0 ? 'a' : 'w' });
    await pipeline(Readable.fromWeb(answer.body), meter, file, { signal });
    return hash.digest('hex');
  } catch (error) {
    options.signal.throwIfAborted();
    const why = watch.silent.aborted ? watch.silent.reason : error;
    throw new Error(`${hostOf(url)} can't be used (${causeOf(why)})`, { cause: error });
  } finally {
    watch.end();
  }
}

function watchRate(slow: () => void) {
  const begun = performance.now();
  const silence = new AbortController();
  let all = 0;
  let last = begun;
  const timer = setInterval(() => {
    const now = performance.now();
    if ((all / (now - begun)) * 1_000 < BYTES_PER_SECOND) slow();
    if (now - last > SILENCE_MS) silence.abort(new Error('it sent nothing for a minute'));
  }, LOOK_MS);
  return {
    silent: silence.signal,
    /** @param received since the begin */
    count(received: number): void {
      all = received;
      last = performance.now();
    },
    end: () => clearInterval(timer),
  };
}

const rangeFrom = (before: number): Record<string, string> =>
  before > 0 ? { range: `bytes=${before}-` } : {};

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

async function hashOf(file: string): Promise<Hash> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part);
  return hash;
}

function totalOf({ headers }: Response, from: number): number | null {
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? from + length : null;
}

/** Hashes and counts what passes. */
function metered(hash: Hash, from: number, onBytes: (received: number) => void): Transform {
  let received = from;
  return new Transform({
    transform(part: Buffer, _, done) {
      received += part.length;
      if (received > MAX_BYTES) return done(new Error('the archive is larger than any release'));
      hash.update(part);
      onBytes(received);
      done(null, part);
    },
  });
}

async function unpack(
  archive: string,
  member: string,
  target: string,
  { env, signal }: ReleaseOptions,
): Promise<void> {
  const dir = dirname(target);
  await run('tar', ['-xzf', archive, '-C', dir, member], { env, signal });
  await chmod(join(dir, member), 0o755);
  await rename(join(dir, member), target);
}
