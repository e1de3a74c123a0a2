/**
 * Collects from the entries of a layer what the scan has to account for: the files of packages,
 * what the layer hides of those below it, and the release files. The result is cached, so it is
 * flat and bounded.
 */
import { cleanPath, hiddenBy } from '../layers/layer-paths.ts';
import type { TarName } from '../layers/tar.ts';
import { type Expected, expectedOf, partToRead } from './file-content.ts';
import { idIn, isReleaseFile, type ReleaseFile } from './os-names.ts';
import { type PackageFileKind, packageFileKind } from './package-files.ts';

export interface LayerFiles {
  /** Kind, mark and path of each file, one after the other. */
  expected: string[];
  /** Paths that whiteouts hide (OCI image spec, layer.md). */
  hidden: string[];
  releases: ReleaseFile[];
  /**
   * False where the layer has more files than the bounds allow, or could not be read to its end.
   */
  isComplete: boolean;
}

export interface FileSearch {
  add(entry: TarName): Promise<void>;
  found(): LayerFiles;
}

const MOST = { paths: 50_000, characters: 4 * 1024 * 1024 };
/** In characters; a tar archive allows a megabyte. */
const MAX_PATH = 1_024;
const MAX_RELEASES = 16;
const MAX_RELEASE_BYTES = 64 * 1024;

/** Whether there is room for another path. */
function room(): (path: string) => boolean {
  let { paths, characters } = MOST;
  return (path) => {
    paths -= 1;
    characters -= path.length;
    return paths >= 0 && characters >= 0;
  };
}

export function searchFiles(): FileSearch {
  const files = new Map<string, Expected>();
  /** The paths that have to be in the report because of a file; none where it names no package. */
  const because = new Map<string, string[]>();
  const hidden = new Set<string>();
  const releases = new Map<string, ReleaseFile>();
  const hasRoom = { files: room(), because: room(), hidden: room() };
  let isComplete = true;

  function keep(what: keyof typeof hasRoom, path: string, store: () => void): void {
    if (hasRoom[what](path)) store();
    else isComplete = false;
  }

  async function addFile(path: string, kind: PackageFileKind, entry: TarName): Promise<void> {
    const { size } = entry;
    const isRegular = entry.type === '0';
    const part = partToRead(kind);
    const bytes = await (part.of === 'first' ? entry.firstBytes : entry.lastBytes)(part.bytes);
    // Engines also extract sparse and contiguous files, which Trivy does not read.
    const expected: Expected[] = isRegular
      ? expectedOf({ kind, path, size, bytes })
      : [{ kind, path, mark: 'own' }];
    const paths = expected.map((each) => each.path);
    keep('because', path, () => because.set(path, paths));
    for (const each of expected) keep('files', each.path, () => files.set(each.path, each));
  }

  function addHardLink(path: string, kind: PackageFileKind, linkTo: string): void {
    if (packageFileKind(linkTo) === null) return;
    for (const twin of because.get(linkTo) ?? [linkTo]) {
      const same = path + twin.slice(linkTo.length);
      keep('files', same + twin, () => files.set(same, { kind, path: same, mark: `=${twin}` }));
    }
  }

  async function addRelease(path: string, { type, size, linkTo, lastBytes }: TarName) {
    if (releases.size >= MAX_RELEASES) isComplete = false;
    else if (linkTo !== null) releases.set(path, { path, linkTo });
    else if (type === '0') {
      const text = Buffer.from(await lastBytes(MAX_RELEASE_BYTES)).toString('utf8');
      releases.set(path, { path, id: size > MAX_RELEASE_BYTES ? 'unknown' : idIn(text) });
    }
  }

  async function add(entry: TarName): Promise<void> {
    const path = cleanPath(entry.name);
    const hides = hiddenBy(path);
    if (hides !== null) return keep('hidden', hides, () => hidden.add(hides));
    if (isReleaseFile(path)) return addRelease(path, entry);
    const kind = packageFileKind(path);
    if (kind === null || isDirectory(entry)) return;
    if (path.length > MAX_PATH) isComplete = false;
    else if (entry.type === '1' && entry.linkTo !== null) addHardLink(path, kind, entry.linkTo);
    else if (entry.linkTo === null) await addFile(path, kind, entry);
  }

  return {
    add,
    found: () => ({
      expected: [...files.values()].flatMap(({ kind, mark, path }) => [kind, mark, path]),
      hidden: [...hidden],
      releases: [...releases.values()],
      isComplete,
    }),
  };
}

/** Or a device or a pipe: none of them has content. */
function isDirectory({ type }: TarName): boolean {
  return /^[3-6]$/.test(type);
}
