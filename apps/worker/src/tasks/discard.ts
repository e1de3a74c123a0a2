/** Removes the layout of a job that is deleted, or whose image is in another storage now. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isElsewhere, isSettled, type StagingJob } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { removeImage } from '../storage/staged-files.ts';

export interface DiscardPorts {
  stagingDir: string;
  /** Id of the storage that `stagingDir` belongs to. */
  storageId: string;
  find(jobId: string): Promise<Pick<StagingJob, 'status' | 'storageId' | 'imageReleasedAt'> | null>;
}

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function discard(jobId: string, ports: DiscardPorts): Promise<void> {
  const job = await ports.find(jobId);
  const dir = layoutDir(ports.stagingDir, jobId);
  if (job === null || isElsewhere(job, ports.storageId))
    await rm(dir, { recursive: true, force: true });
  // The worker that released the image may have ended before it removed the files.
  else if (job.imageReleasedAt !== null && isSettled(job.status)) await removeImage(dir);
}

export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}

/** The directory of a job. @throws invalid for anything but a job id, which would be a path */
export function layoutDir(stagingDir: string, jobId: string): string {
  if (!isJobId(jobId)) throw invalid('JOB_ID_INVALID', 'a job id is a UUID in lower case');
  return path.join(stagingDir, jobId);
}
