/** PEM files that settings name, read when a connection is made: a renewed one counts at once. */
import { readFile } from 'node:fs/promises';
import { unavailable } from '@portcullis/errors';

/** Undefined where none is named. @throws unavailable `TLS_FILE_UNREADABLE`, naming the setting alone */
export async function readPem(setting: string, path: string | null): Promise<string | undefined> {
  if (path === null) return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unavailable('TLS_FILE_UNREADABLE', `the file that ${setting} names can not be read`, { cause });
  });
  if (text.includes('-----BEGIN ')) return text;
  throw unavailable('TLS_FILE_UNREADABLE', `the file that ${setting} names holds no PEM`);
}
