/** What is done with the registry's storage in a directory, and what is left to the registry. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { hasCode, type Logger } from '@portcullis/runtime';
import { ifThere } from './storage/directory-files.ts';
import { isOfThisMachine } from './storage/local-disk.ts';

/** `all`: it is read, written in place, and linked into. */
export type StorageUse = 'all' | 'none' | 'absent' | 'other-user' | 'read-only' | 'network';

/** Sentences about what the registry does instead. */
export const LEFT_TO_REGISTRY: Readonly<Record<Exclude<StorageUse, 'all'>, string>> = {
  none: 'REGISTRY_STORAGE is not set: the registry answers all reads and receives all uploads',
  absent: "the registry's storage does not exist until the first push; until then it receives all",
  'other-user':
    "the registry's storage belongs to another user id: it is read, and the registry receives all uploads",
  'read-only':
    "the registry's storage is mounted for reading: it is read, and the registry receives all uploads",
  network:
    "the registry's storage is on a network's file system: blobs are read there, tags and manifests from the registry",
};

export async function storageUse(dir: string | undefined): Promise<StorageUse> {
  if (dir === undefined) return 'none';
  const facts = await ifThere(() => stat(dir));
  if (facts === null) return 'absent';
  if (facts.uid !== process.getuid?.()) return 'other-user';
  if (await isReadOnly(dir)) return 'read-only';
  return isOfThisMachine(dir) ? 'all' : 'network';
}

/** Says once, at the start of a process, what is left to the registry. */
export async function logStorageUse(
  dir: string | undefined,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  const use = await storageUse(dir);
  if (use !== 'all') log.info(LEFT_TO_REGISTRY[use]);
}

async function isReadOnly(dir: string): Promise<boolean> {
  try {
    await access(dir, constants.W_OK);
    return false;
  } catch (error) {
    return hasCode(error, 'EROFS') || hasCode(error, 'EACCES');
  }
}
