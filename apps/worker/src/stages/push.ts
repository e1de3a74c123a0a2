/** The job's image → its destination: the very repository that was checked, by the digest that was scanned. */
import type { Outcome, Push, StagingJob } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { copy, type Descriptor, parseDigest, type Source, type Target } from '@portcullis/oci';
import type { Attempt } from '../attempt.ts';
import { progressOf } from './pull.ts';

export interface PushPorts {
  /** Asks the rights and the gate again, as they are now, and opens the destination. @throws forbidden */
  destination(job: StagingJob, push: Push): Promise<Destination>;
  /** What was pulled; opened with the rights its owner has now where blobs are still at the source. */
  image(job: StagingJob): Promise<Source>;
  concurrency: number;
  maxManifestBytes: number;
}

export interface Destination {
  target: Target;
  /** Repositories of the same registry that hold the blob and that the account may read. */
  mountFrom(descriptor: Descriptor): Promise<string[]>;
  /** Remembers where the blobs went, for later mounts. */
  pushed(): Promise<void>;
}

export async function push(attempt: Attempt, ports: PushPorts): Promise<Outcome> {
  const job = attempt.job();
  const order = job.pushes.at(-1);
  if (!order || job.digest === null)
    throw conflict('PUSH_UNKNOWN', 'the job has nothing to push, or nowhere to push it to');
  const [image, destination] = await Promise.all([ports.image(job), ports.destination(job, order)]);
  const root = await image.resolve(parseDigest(job.digest), { signal: attempt.signal });
  const copied = await copy(image, root.digest, destination.target, {
    root,
    targetTag: order.tag,
    mountFrom: destination.mountFrom,
    includeReferrers: job.withReferrers,
    concurrency: ports.concurrency,
    maxManifestBytes: ports.maxManifestBytes,
    signal: attempt.signal,
    onProgress: (progress) => attempt.report(progressOf('push', progress), progress.bytesMounted),
  });
  await destination.pushed();
  return { kind: 'pushed', digest: copied.root.digest, bytesMounted: copied.bytesMounted };
}
