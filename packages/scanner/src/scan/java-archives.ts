/**
 * Lists the Java archives of an image by path. Used only while the Java index is missing, to say
 * which archives were not judged.
 */
import { posix } from 'node:path';
import type { Descriptor } from '@portcullis/oci';
import { unpackLayer } from '../layers/layer-archive.ts';
import { pathOfBlob } from '../layers/layer-facts.ts';
import { tarNames } from '../layers/tar.ts';

const ARCHIVE = /\.(?:jar|war|ear|par)$/i;
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';
/** More are ignored: the note names a handful. */
const MAX_ARCHIVES = 10_000;
/**
 * Bound on one path, in characters. A tar archive allows a megabyte, and each parent directory is a
 * path as well.
 */
const MAX_PATH = 1_024;
/** Bound on all paths of an image, in characters. */
const MAX_PATHS = 1024 * 1024;

/**
 * The archives that remain after all layers are applied. Empty where a layer is missing or cannot
 * be read to its end.
 */
export async function archivesOf(
  layoutDir: string,
  layers: readonly Pick<Descriptor, 'digest'>[],
  signal?: AbortSignal,
): Promise<string[]> {
  const archives = new Set<string>();
  try {
    for (const { digest } of layers) {
      const names = tarNames(
        (await unpackLayer(pathOfBlob(layoutDir, digest), signal))[Symbol.asyncIterator](),
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
 * A whiteout hides files of earlier layers, wherever it is in its own layer (OCI image spec,
 * layer.md). A layer may contain any number of them: only those that concern a known archive are
 * kept, and the archives are filtered once.
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

/** The path that a whiteout hides, with all its children; null for any other file. */
function hiddenBy(parent: string, file: string): string | null {
  if (file === OPAQUE) return parent;
  return file.startsWith(WHITEOUT) ? posix.join(parent, file.slice(WHITEOUT.length)) : null;
}

/** The path and each of its parent directories; the root is `.`. */
function withParents(path: string): string[] {
  const parents = [path];
  for (let each = path; each !== '.'; each = posix.dirname(each)) parents.push(posix.dirname(each));
  return parents;
}
