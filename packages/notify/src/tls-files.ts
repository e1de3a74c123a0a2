/** PEM files that settings name, read when a connection is made: a renewed one counts at once. */
import { readFile } from 'node:fs/promises';
import { unavailable } from '@portcullis/errors';

/**
 * Undefined where none is named. A file that is missing, that is closed to us or that holds no PEM is one answer: else
 * the settings page would tell which files the machine has.
 * @throws unavailable `TLS_FILE_UNREADABLE`, naming the setting alone
 */
export async function readPem(setting: string, path: string | null): Promise<string | undefined> {
  if (path === null) return undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes('-----BEGIN ')) return text;
  throw unavailable(
    'TLS_FILE_UNREADABLE',
    `the file that ${setting} names is not a PEM file that we can read`,
  );
}
