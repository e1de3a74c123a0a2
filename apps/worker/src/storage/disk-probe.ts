/**
 * Whether this worker can write to its DATA_DIR. A file system that has become read-only shows in
 * many forms: a recursive `mkdir` reports ENOENT, and Trivy its own words. Writing a small file
 * answers for all of them.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { isDiskWait } from '@portcullis/domain';
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import type { DiskFault } from '@portcullis/store';

export interface DiskProbe {
  /** Writes the file, unless that was done in the last half second. Null: the disk works. */
  fault(): Promise<DiskFault | null>;
  /** The result of the newest probe. */
  last(): DiskFault | null;
  /**
   * Runs work on this disk. `hasFailed`: whether a result says that it failed.
   * @throws unavailable `DISK_UNWRITABLE` where the disk is why it failed, otherwise as the work
   */
  blaming<T>(work: () => Promise<T>, hasFailed?: (result: T) => boolean): Promise<T>;
}

export interface DiskProbePorts {
  dataDir: string;
  /** Time of a monotonic clock. */
  now(): number;
  /** Writes the small file and forces it to the disk. Tests play faults here. */
  write?(file: string): Promise<void>;
}

const REMEMBERED_MS = 500;
/** Another worker may take a pull. */
const TRY_AGAIN_SECONDS = 10;

const FILE = 'write-probe';

export function diskProbe({ dataDir, now, write = writeSmallFile }: DiskProbePorts): DiskProbe {
  const file = path.join(dataDir, FILE);
  let known: { at: number; fault: Promise<DiskFault | null> } | null = null;
  let last: DiskFault | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<DiskFault | null> {
    last = await write(file).then(
      () => null,
      (error: unknown) => diskFault(errnoOf(error) ?? 'EIO'),
    );
    if (last !== null) seenAt = now();
    return last;
  }

  function fault(): Promise<DiskFault | null> {
    if (known === null || now() - known.at >= REMEMBERED_MS) known = { at: now(), fault: look() };
    return known.fault;
  }

  async function assertBlameless(since: number, thrown?: unknown): Promise<void> {
    if (isAppError(thrown) && isDiskWait(thrown.code)) return;
    known = null;
    const errno = diskErrnoIn(thrown, dataDir);
    const found = (await fault()) ?? (errno === null ? null : diskFault(errno));
    // The disk may work again by the time at which work has failed because of it.
    if (found === null && seenAt < since) return;
    throw asError(found ?? diskFault('EIO'), thrown);
  }

  return {
    fault,
    last: () => last,
    async blaming(work, hasFailed = () => false) {
      const since = now();
      try {
        const result = await work();
        if (hasFailed(result)) await assertBlameless(since);
        return result;
      } catch (error) {
        await assertBlameless(since, error);
        throw error;
      }
    },
  };
}

/** @throws unavailable `DISK_UNWRITABLE` */
export async function assertWritable(probe: Pick<DiskProbe, 'fault'>): Promise<void> {
  const fault = await probe.fault();
  if (fault !== null) throw asError(fault);
}

function asError({ code, message }: DiskFault, cause?: unknown): AppError {
  return unavailable(code, message, { cause, retryAfter: TRY_AGAIN_SECONDS });
}

function diskFault(errno: string): DiskFault {
  const message = `the worker cannot write to its DATA_DIR (${errno}); its jobs wait, and other workers take new ones`;
  return { code: 'DISK_UNWRITABLE', message };
}

async function writeSmallFile(file: string): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  await handle.write('.');
  await handle.sync();
}

/** Errors of a file system or a device that is broken, whatever file was accessed. */
const BROKEN = new Set(['EROFS', 'EIO', 'ENODEV', 'ENXIO', 'ESTALE', 'EUCLEAN', 'ENOTCONN']);
const DEEPEST_CAUSE = 8;

/** Such an error in DATA_DIR among the error and its causes; null without one. */
function diskErrnoIn(thrown: unknown, dataDir: string): string | null {
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < DEEPEST_CAUSE; depth += 1) {
    const errno = errnoOf(error);
    if (errno !== null && BROKEN.has(errno) && isWithin(dataDir, error)) return errno;
    error = error.cause;
  }
  return null;
}

function isWithin(dataDir: string, error: Error): boolean {
  return (
    'path' in error && typeof error.path === 'string' && error.path.startsWith(dataDir + path.sep)
  );
}

function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
