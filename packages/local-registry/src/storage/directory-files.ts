/** The registry's storage in a directory, as its file-system driver lays it out. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { tooLarge } from '@portcullis/errors';
import { registryRoot } from './storage.ts';
import { MAX_READ_BYTES, type StorageFiles, type StoredFile } from './storage-files.ts';

export function directoryFiles(storageDir: string): StorageFiles {
  const root = registryRoot(storageDir);
  const at = (path: string) => join(root, ...path.split('/'));

  async function entries(path: string) {
    return (await ifThere(() => readdir(at(path), { withFileTypes: true }))) ?? [];
  }

  async function* files(path: string): AsyncGenerator<StoredFile> {
    for (const entry of await entries(path)) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) yield* files(inner);
      else if (entry.isFile()) {
        const facts = await ifThere(() => stat(at(inner)));
        if (facts) yield { path: inner, size: facts.size, modifiedAt: facts.mtimeMs };
      }
    }
  }

  return {
    files,
    directories: async (path) =>
      (await entries(path)).filter((entry) => entry.isDirectory()).map(({ name }) => name),
    async read(path) {
      const facts = await ifThere(() => stat(at(path)));
      if (facts !== null && facts.size > MAX_READ_BYTES)
        throw tooLarge(
          'FILE_TOO_LARGE',
          `${relative(root, at(path)).split(sep).join('/')} has ${facts.size} bytes`,
        );
      return ifThere(() => readFile(at(path)));
    },
  };
}

export async function ifThere<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes in a directory that mostly exists; it is created where it does not. */
export async function inDirectory(dir: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dir, { recursive: true });
    await write();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
