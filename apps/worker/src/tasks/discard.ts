/** Removes what a deleted job left on disk. A live job's directory is never touched. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '@portcullis/errors';

export interface DiscardPorts {
  stagingDir: string;
  find(jobId: string): Promise<unknown>;
}

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function discard(jobId: string, ports: DiscardPorts): Promise<void> {
  if (await ports.find(jobId)) return;
  await rm(layoutDir(ports.stagingDir, jobId), { recursive: true, force: true });
}

export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}

/** The only way from an id to a directory. @throws invalid on what isn't a job's id: it would be a path. */
export function layoutDir(stagingDir: string, jobId: string): string {
  if (!isJobId(jobId)) throw invalid('JOB_ID_INVALID', 'a job id is a UUID in lower case');
  return path.join(stagingDir, jobId);
}
