/** Hard-links a file, or copies it where the file system does not allow a link. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, rename, rm } from 'node:fs/promises';
import { errnoOf } from './storage-error.ts';

/** Errors for another file system, one without hard links, or too many links. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/** False if the source file does not exist. An existing target file is kept. */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (errno === 'ENOENT') return false;
    if (NO_LINK.has(errno)) await copyWhole(from, to);
    else if (errno === 'EEXIST') await replaceIrregular(from, to);
    else throw error;
  }
  return true;
}

/** Replaces anything that is not a regular file: a symbolic link could point anywhere. */
async function replaceIrregular(from: string, to: string): Promise<void> {
  if ((await lstat(to)).isFile()) return;
  await rm(to, { recursive: true, force: true });
  await link(from, to);
}

async function copyWhole(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomUUID()}`;
  await copyFile(from, draft, constants.COPYFILE_FICLONE);
  await rename(draft, to);
}
