/**
 * Lists the files of the registry's storage in an order in which they can be copied while it is
 * written to: referrers before what they reference (tags, links of manifests, links of layers,
 * blobs). The registry writes in the opposite order and never changes a blob, so what a copied link
 * needs exists when the blobs are copied. Nothing may be deleted meanwhile: no garbage collection.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { OWN_ENTRY } from '@portcullis/local-registry';
import { hasCode } from '@portcullis/runtime';

/** Unfinished uploads are useless after a restore. */
const LEFT_OUT = new Set(['_uploads']);
/** At the top: our unfinished uploads and blobs, and what a killed restore left. */
const LEFT_OUT_AT_TOP = [OWN_ENTRY, '.'];

/**
 * Relative paths. The names of distribution's directories are in this order when sorted descending.
 */
export async function* storageFiles(root: string, below = ''): AsyncGenerator<string> {
  const entries = await entriesOf(path.join(root, below));
  entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  for (const entry of entries) {
    if (LEFT_OUT.has(entry.name) || (below === '' && isOfNoUse(entry.name))) continue;
    const relative = path.posix.join(below, entry.name);
    if (entry.isDirectory()) yield* storageFiles(root, relative);
    else if (entry.isFile()) yield relative;
  }
}

function isOfNoUse(name: string): boolean {
  return LEFT_OUT_AT_TOP.some((start) => name.startsWith(start));
}

async function entriesOf(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []; // a tag that was deleted meanwhile
    throw error;
  }
}
