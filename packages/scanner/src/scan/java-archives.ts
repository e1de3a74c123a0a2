/** The Java archives of an image, by their paths: asked only while their index is missing, to say which were not judged. */
import { posix } from 'node:path';
import type { Descriptor } from '@portcullis/oci';
import { pathOfBlob, unpacked } from '../layers/layer-facts.ts';
import { tarNames } from '../layers/tar.ts';

const ARCHIVE = /\.(?:jar|war|ear|par)$/i;
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';
/** More are not looked at: a note names a handful. */
const MAX_ARCHIVES = 10_000;
/** Of one path, in characters. A tar archive takes a megabyte of them, and each directory above is a path as well. */
const MAX_PATH = 1_024;
/** Of all paths of an image, in characters. */
const MAX_PATHS = 1024 * 1024;

/** As the layers leave them. Empty where a layer is not here, or can't be read to its end. */
export async function archivesOf(
  layoutDir: string,
  layers: readonly Pick<Descriptor, 'digest'>[],
  signal?: AbortSignal,
): Promise<string[]> {
  const archives = new Set<string>();
  try {
    for (const { digest } of layers) {
      const names = tarNames(
        (await unpacked(pathOfBlob(layoutDir, digest), signal))[Symbol.asyncIterator](),
      );
      await applyLayer(names, archives);
    }
  } catch {
    signal?.throwIfAborted();
    return [];
  }
  return [...archives].sort();
}

/**
 * A whiteout hides what earlier layers hold, wherever in its own layer it is (OCI image spec, layer.md). A layer may hold
 * any number of them: only those that concern a known archive are kept, and the archives are gone through once.
 */
export async function applyLayer(
  names: AsyncIterable<string>,
  archives: Set<string>,
): Promise<void> {
  const known = new Set([...archives].flatMap(withParents));
  const hidden = new Set<string>();
  const own: string[] = [];
  let left = MAX_PATHS - [...archives].reduce((sum, path) => sum + path.length, 0);
  for await (const name of names) {
    if (name.length > MAX_PATH) continue;
    const path = posix.join('/', name).slice(1);
    const [parent, file] = [posix.dirname(path), posix.basename(path)];
    const hides = hiddenBy(parent, file);
    if (hides !== null && known.has(hides)) hidden.add(hides);
    if (hides !== null || !ARCHIVE.test(file) || own.length >= MAX_ARCHIVES || path.length > left)
      continue;
    left -= path.length;
    own.push(path);
  }
  for (const path of archives)
    if (withParents(path).some((each) => hidden.has(each))) archives.delete(path);
  for (const path of own) if (archives.size < MAX_ARCHIVES) archives.add(path);
}

/** The path that a whiteout hides, with all below it; null for another file. */
function hiddenBy(parent: string, file: string): string | null {
  if (file === OPAQUE) return parent;
  return file.startsWith(WHITEOUT) ? posix.join(parent, file.slice(WHITEOUT.length)) : null;
}

/** The path, and each directory above it; the root is `.`. */
function withParents(path: string): string[] {
  const parents = [path];
  for (let each = path; each !== '.'; each = posix.dirname(each)) parents.push(posix.dirname(each));
  return parents;
}
