/**
 * The files of the registry's storage, in an order in which they can be copied while it is written to: whatever refers
 * to something comes before what it refers to (tags, manifests' links, layers' links, blobs). The registry writes in
 * the opposite order and never alters a blob, so what a copied link needs is there when the blobs are copied. Nothing
 * must be deleted meanwhile: no garbage collection.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@portcullis/runtime';

/** Half-done uploads belong to nobody after a restore. */
const LEFT_OUT = new Set(['_uploads']);
/** What a killed restore left at the top: no repository's name begins like that. */
const LEFTOVER = /^\./;

/** Relative paths. The names of distribution's directories happen to be in that order when read from Z to A. */
export async function* storageFiles(root: string, below = ''): AsyncGenerator<string> {
  const entries = await entriesOf(path.join(root, below));
  entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  for (const entry of entries) {
    if (LEFT_OUT.has(entry.name) || (below === '' && LEFTOVER.test(entry.name))) continue;
    const relative = path.posix.join(below, entry.name);
    if (entry.isDirectory()) yield* storageFiles(root, relative);
    else if (entry.isFile()) yield relative;
  }
}

async function entriesOf(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []; // a tag that was deleted meanwhile
    throw error;
  }
}
