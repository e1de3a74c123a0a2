/**
 * The index of a scan's layout as a named pipe: Trivy starts while the image is verified, and waits
 * for the index, without which it reads nothing of the image. Its start takes longer than the scan
 * of a small image. This process holds the pipe open: where it is killed, Trivy reads an empty
 * index, and ends.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@portcullis/runtime';
import type { RunProgram } from '../process/run.ts';
import { INDEX } from './scan-dir.ts';

const HELD = constants.O_RDWR | constants.O_NONBLOCK;
const TO_A_READER = constants.O_WRONLY | constants.O_NONBLOCK;

/** Removes that of the image that was scanned before in this directory. */
export async function removeIndex(scanDir: string): Promise<void> {
  await rm(join(scanDir, INDEX), { force: true });
}

/**
 * Null where the index is there already, the file system has no named pipes, or the machine no
 * program that makes one.
 */
export async function holdIndex(scanDir: string, run: RunProgram): Promise<FileHandle | null> {
  // Node makes none.
  const made = run('mkfifo', [INDEX], { cwd: scanDir, env: { PATH: '/usr/bin:/bin' } });
  const isMade = await made.then(
    ({ code }) => code === 0,
    () => false,
  );
  return isMade ? open(join(scanDir, INDEX), HELD) : null;
}

/** A file takes the place of the pipe: a program that opens the index from now on reads that. */
export async function writeIndex(scanDir: string, index: string): Promise<void> {
  const path = join(scanDir, INDEX);
  await writeFile(`${path}.file`, index);
  await rename(`${path}.file`, path);
}

/**
 * Writes to the program that waits, after `writeIndex`. The index is smaller than what a pipe takes
 * at once. Where the pipe was made too late, this is the file, and gets what it has.
 */
export async function endWait(held: FileHandle | null, index: string): Promise<void> {
  await using pipe = held;
  await pipe?.write(index);
}

/** Ends a Trivy that opened the pipe after its holder was killed. A pipe that is held stays so. */
export async function releaseIndex(scanDir: string): Promise<void> {
  try {
    await using _ = await open(join(scanDir, INDEX), TO_A_READER);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENXIO')) throw error;
  }
}
