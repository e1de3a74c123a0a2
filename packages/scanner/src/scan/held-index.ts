/**
 * The index of a scan's layout as a named pipe: Trivy starts while the image is verified, and waits
 * for the index, without which it reads nothing of the image. Its start takes longer than the scan
 * of a small image.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '@portcullis/runtime';
import { INDEX } from './scan-dir.ts';

const LOOK_MS = 5;
/** Fails where nobody reads, or waits to read, the pipe. */
const TO_A_READER = constants.O_WRONLY | constants.O_NONBLOCK;

/** Removes the index of the image before. */
export async function clearIndex(scanDir: string): Promise<void> {
  await rm(join(scanDir, INDEX), { force: true });
}

/**
 * Hands the index to the process that waits for it, unless it ends before it does, and puts a file
 * in the place of the pipe: whoever opens the index from now on reads that. An index is smaller
 * than what a pipe takes at once.
 * @param ended aborted when the process has ended
 */
export async function feedIndex(scanDir: string, index: string, ended: AbortSignal): Promise<void> {
  const path = join(scanDir, INDEX);
  await using pipe = await openToReader(path, ended);
  await writeFile(`${path}.file`, index);
  await rename(`${path}.file`, path);
  await pipe?.write(index).catch(unlessEnded);
}

/** Null where the process has ended. */
async function openToReader(path: string, ended: AbortSignal): Promise<FileHandle | null> {
  while (!ended.aborted) {
    const pipe = await open(path, TO_A_READER).catch(unlessEnded);
    if (pipe) return pipe;
    await sleep(LOOK_MS, undefined, { signal: ended }).catch(() => {});
  }
  return null;
}

/** There is no pipe yet, or nobody reads it, or nobody does any more. */
function unlessEnded(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENXIO', 'EPIPE')) throw error;
}
