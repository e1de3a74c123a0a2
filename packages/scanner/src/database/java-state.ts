/**
 * Progress of the download of the Java index, in a file that every process with this DATA_DIR can
 * read.
 */
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '@portcullis/errors';
import { hasCode, type Logger } from '@portcullis/runtime';
import { z } from 'zod';
import type { ScannerPaths } from '../paths.ts';

const JavaDownload = z.object({
  state: z.enum(['downloading', 'failed', 'done']),
  bytes: z.number(),
  /** Why the download failed. */
  code: z.string().nullable(),
  /** The same, for people. */
  message: z.string().nullable(),
  at: z.iso.datetime(),
});
export type JavaDownload = z.infer<typeof JavaDownload>;

const EVERY_MS = 5_000;
/** A download that has written no progress for this long has died. */
const SILENT_MS = 60_000;

/** Returns null before the first download, and where the downloading process has died. */
export async function readJavaDownload(
  paths: ScannerPaths,
  now = new Date(),
): Promise<JavaDownload | null> {
  try {
    const found = JavaDownload.parse(JSON.parse(await readFile(paths.javaDownload, 'utf8')));
    const silent = now.getTime() - Date.parse(found.at) > SILENT_MS;
    return found.state === 'downloading' && silent ? null : found;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

interface Progress extends AsyncDisposable {
  failed(error: unknown): void;
}

/** Writes the number of bytes on disk every few seconds, until it is disposed of. */
export async function trackJavaDownload(
  paths: ScannerPaths,
  directories: readonly string[],
  log: Logger,
): Promise<Progress> {
  let bytes = 0;
  let failure: Pick<JavaDownload, 'code' | 'message'> = { code: null, message: null };
  const note = async (state: JavaDownload['state']) => {
    bytes = Math.max(bytes, await bytesIn(directories));
    await write(paths.javaDownload, { state, bytes, ...failure, at: new Date().toISOString() });
    log.info({ state, bytes }, 'index of Java archives');
  };
  await note('downloading');
  let noting: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting
      .then(() => note('downloading'))
      .catch((err: unknown) => log.warn({ err }, 'progress not saved'));
  }, EVERY_MS);
  return {
    failed: (error) => {
      failure = isAppError(error)
        ? { code: error.code, message: error.message }
        : { code: 'DATABASE_DOWNLOAD_FAILED', message: 'the download failed' };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await noting;
      await note(failure.code === null ? 'done' : 'failed');
    },
  };
}

async function write(path: string, content: JavaDownload): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify(content));
  await rename(draft, path);
}

async function bytesIn(directories: readonly string[]): Promise<number> {
  const sizes = directories.map(async (directory) => {
    const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const stats = files
      .filter((file) => file.isFile())
      .map((file) => stat(join(file.parentPath, file.name)).catch(() => null));
    return (await Promise.all(stats)).reduce((sum, found) => sum + (found?.size ?? 0), 0);
  });
  return Math.max(...(await Promise.all(sizes)));
}
