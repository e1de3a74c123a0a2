/**
 * The registry's storage in a local directory, for reading all of it: with synchronous calls, which
 * take a fraction of the CPU, and pauses for other work.
 */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { tooLarge } from '@portcullis/errors';
import { registryRoot } from './storage.ts';
import { MAX_READ_BYTES, type StorageFiles, type StoredFile } from './storage-files.ts';

/** How long other work of the process waits. */
const SLICE_MS = 5;

export function localFiles(storageDir: string): StorageFiles {
  const root = registryRoot(storageDir);
  const at = (path: string) => join(root, path);
  let began = performance.now();

  async function breathe(): Promise<void> {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  }

  const entries = (path: string) =>
    unlessMissing(() => readdirSync(at(path), { withFileTypes: true })) ?? [];

  async function* files(path: string): AsyncGenerator<StoredFile> {
    for (const entry of entries(path)) {
      await breathe();
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) yield* files(inner);
      else if (entry.isFile()) {
        const facts = unlessMissing(() => statSync(at(inner)));
        if (facts) yield { path: inner, size: facts.size, modifiedAt: facts.mtimeMs };
      }
    }
  }

  return {
    files,
    async directories(path) {
      await breathe();
      return entries(path).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    },
    async read(path) {
      await breathe();
      return unlessMissing(() => readWhole(at(path), path));
    },
  };
}

function readWhole(file: string, path: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_READ_BYTES) throw tooLarge('FILE_TOO_LARGE', `${path} has ${size} bytes`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unlessMissing<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
