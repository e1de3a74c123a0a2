/** Reads a backup archive once from beginning to end; it may come through a pipe. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalid, isAppError } from '@portcullis/errors';
import { extract } from 'tar-stream';
import {
  type ArchiveLimits,
  Checksums,
  ENTRIES,
  isPlainPath,
  LIMITS,
  sizeInChecksums,
} from './manifest.ts';

export interface ArchiveEntry {
  name: string;
  /** The caller must read it to its end before the next one. */
  content: AsyncIterable<Uint8Array>;
}

/** @throws invalid `BACKUP_DAMAGED` after the last entry, where something is missing or damaged */
export async function* readArchive(
  from: Readable,
  limits: ArchiveLimits = LIMITS,
): AsyncGenerator<ArchiveEntry> {
  const sums: Record<string, string> = {};
  let expected: Record<string, string> | null = null;
  let listed = 0;
  try {
    const entries = extract();
    // The loop throws what ends the stream early.
    pipeline(from, entries).catch(() => {});
    for await (const entry of entries) {
      const { name, size = 0 } = entry.header;
      if (size > (limits.entries[name] ?? size)) throw tooLarge(name, limits.entries[name]);
      listed += sizeInChecksums(name);
      if (listed > limits.checksums) throw tooLarge('the list of its files', limits.checksums);
      const content = bytesOf(entry);
      if (name === ENTRIES.checksums) expected = Checksums.parse(JSON.parse(await textOf(content)));
      else yield { name: check(name), content: summed(content, name, sums) };
      entry.resume();
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    throw damaged('it is no backup, or it was cut short', error);
  }
  compare(sums, expected);
}

function compare(sums: Record<string, string>, expected: Record<string, string> | null): void {
  if (expected === null) throw damaged('its end is missing');
  const names = new Set([...Object.keys(sums), ...Object.keys(expected)]);
  const wrong = [...names].find((name) => sums[name] !== expected[name]);
  if (wrong !== undefined) throw damaged(`${wrong} was changed or is missing`);
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw damaged('it was cut short', error);
  }
}

async function* summed(
  content: AsyncIterable<Uint8Array>,
  name: string,
  sums: Record<string, string>,
) {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  sums[name] = hash.digest('hex');
}

export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(what: string, limit = 0): Error {
  return damaged(`${what} is larger than ${limit} bytes`);
}

function check(name: string): string {
  if (isPlainPath(name)) return name;
  throw damaged(`an entry has the name ${JSON.stringify(name)}`);
}

export function damaged(why: string, cause?: unknown): Error {
  return invalid('BACKUP_DAMAGED', `the backup can not be used: ${why}`, { cause });
}
