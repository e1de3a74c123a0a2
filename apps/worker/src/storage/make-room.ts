/**
 * Makes room in DATA_DIR: unused blobs go first, then the images of finished jobs, oldest first.
 * What is staged stays: it waits for the decision of a person.
 */
import { readdir } from 'node:fs/promises';
import { releaseImage, type StagingJob } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import type { BlobCache } from '@portcullis/oci/layout';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { Announcer } from '../pipeline/announce.ts';
import { isJobId, layoutDir } from '../tasks/discard.ts';
import type { Disk } from './disk.ts';
import { removeImage, stagedFiles, thatFree } from './staged-files.ts';

export interface ReleaseImagePorts {
  jobs: Pick<Store['jobs'], 'withImageToRelease' | 'update'>;
  stagingDir: string;
  publish(job: StagingJob): Promise<void>;
  now(): Date;
}

export interface MakeRoomPorts extends ReleaseImagePorts {
  cache: Pick<BlobCache, 'prune'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function releasePorts({
  store,
  disk,
  publish,
}: {
  store: { jobs: ReleaseImagePorts['jobs'] };
  disk: Pick<Disk, 'stagingDir'>;
  publish: Announcer['publish'];
}): ReleaseImagePorts {
  return {
    jobs: store.jobs,
    stagingDir: disk.stagingDir,
    publish: (job) => publish('pull', job, null),
    now: () => new Date(),
  };
}

/** A blob may be stored and not linked yet. */
const FRESH_MS = 10_000;
/** After an attempt that freed nothing. */
const TRY_AGAIN_MS = 10_000;
const BATCH = 500;

/** @returns the bytes that were freed; callers at the same time share one attempt */
export function makingRoom(ports: MakeRoomPorts): (bytes: number) => Promise<number> {
  let running: Promise<number> | null = null;
  let notBefore = 0;

  async function make(bytes: number): Promise<number> {
    const freed = await freeBytes(bytes, ports).catch((err: unknown) => {
      ports.log.warn({ err }, 'no room could be made');
      return 0;
    });
    if (freed === 0) notBefore = ports.now().getTime() + TRY_AGAIN_MS;
    else ports.log.info({ freed, bytes }, 'room was made in DATA_DIR');
    return freed;
  }

  return (bytes) => {
    if (running === null && ports.now().getTime() < notBefore) return Promise.resolve(0);
    running ??= make(bytes).finally(() => {
      running = null;
    });
    return running;
  };
}

async function freeBytes(bytes: number, ports: MakeRoomPorts): Promise<number> {
  const { cache, stagingDir } = ports;
  let { bytes: freed } = await cache.prune({ olderThanMs: FRESH_MS, enough: bytes });
  for await (const ids of finishedJobs(ports)) {
    if (freed >= bytes) break;
    const staged = await Promise.all(ids.map((id) => stagedFiles(id, layoutDir(stagingDir, id))));
    for (const { jobId, blobs } of thatFree(staged)) {
      if (freed >= bytes) break;
      if (!(await release(jobId, ports))) continue;
      const only = new Set(blobs.map(({ name }) => name));
      const pruned = await cache.prune({ olderThanMs: 0, enough: bytes - freed, only });
      freed += pruned.bytes;
    }
  }
  return freed;
}

/** Releases the images of jobs that finished before. @returns their number */
export async function releaseFinished(
  before: Date,
  ports: ReleaseImagePorts,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const ids of finishedJobs(ports, before))
    for (const id of ids) {
      signal.throwIfAborted();
      if (await release(id, ports)) count += 1;
    }
  return count;
}

/** Those with a directory here, the longest finished first within a batch. */
async function* finishedJobs(
  { jobs, stagingDir }: ReleaseImagePorts,
  before?: Date,
): AsyncGenerator<string[]> {
  // Ids of jobs rise with the time at which they were created.
  const ids = (await readdir(stagingDir)).filter(isJobId).sort();
  for (let from = 0; from < ids.length; from += BATCH)
    yield await jobs.withImageToRelease(ids.slice(from, from + BATCH), before);
}

/**
 * The row comes first: a job that is requested again at the same time keeps its image. Whether it
 * was released.
 */
async function release(
  id: string,
  { jobs, stagingDir, publish, now }: ReleaseImagePorts,
): Promise<boolean> {
  let released = false;
  const job = await unlessMissing(
    jobs.update(id, (row) => {
      const next = releaseImage(row, now());
      released = next !== null;
      return next;
    }),
  );
  if (!job || !released) return false;
  await removeImage(layoutDir(stagingDir, id));
  await publish(job);
  return true;
}
