/**
 * The operating system releases that the vulnerability database has advisories for: the names of
 * its buckets, cached in a file beside it. An update writes the file; where it is missing or
 * damaged, the next scan does.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@portcullis/runtime';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { bucketNames } from './bbolt.ts';

const File = z.object({ buckets: z.array(z.string()) });

/** @throws BboltDamaged */
export async function writeBuckets(databaseDir: string): Promise<string[]> {
  const names = await bucketNames(join(databaseDir, 'db', 'trivy.db'));
  // Buckets of language ecosystems, which have no releases, contain `::`: `npm::GitHub Security
  // Advisory npm`.
  const buckets = names.filter((name) => !name.includes('::'));
  const path = fileIn(databaseDir);
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify({ buckets } satisfies z.infer<typeof File>));
  await rename(draft, path);
  return buckets;
}

/** Returns null where the database cannot be read: then no release counts as known. */
export async function readBuckets(
  databaseDir: string,
  log: Pick<Logger, 'error'>,
): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await readWritten(databaseDir)) ?? (await writeBuckets(databaseDir)));
  } catch (err) {
    log.error({ err }, 'the releases that the vulnerability database knows could not be read');
    return null;
  }
}

async function readWritten(databaseDir: string): Promise<string[] | null> {
  try {
    return File.parse(JSON.parse(await readFile(fileIn(databaseDir), 'utf8'))).buckets;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

function fileIn(databaseDir: string): string {
  return join(databaseDir, 'buckets.json');
}
