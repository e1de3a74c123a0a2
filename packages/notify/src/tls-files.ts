/**
 * Reads the PEM files of the settings for each connection, so that a renewed file applies at once.
 */
import { readFile } from 'node:fs/promises';
import { unavailable } from '@portcullis/errors';

/**
 * Undefined where no file is set. Missing, unreadable and invalid files give the same error;
 * otherwise the settings page would reveal which files the machine has.
 * @throws unavailable `TLS_FILE_UNREADABLE`, naming the setting only
 */
export async function readPem(setting: string, path: string | null): Promise<string | undefined> {
  if (path === null) return undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes('-----BEGIN ')) return text;
  throw unavailable(
    'TLS_FILE_UNREADABLE',
    `the file that ${setting} names is not a PEM file that we can read`,
    { detail: { setting } },
  );
}
