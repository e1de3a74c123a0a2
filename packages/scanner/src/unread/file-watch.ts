/**
 * Compares the files of packages that an image has with what Trivy reports: each has to appear in
 * the report, or belong to a package of the distribution. What does not was not judged.
 */
import { type InstalledPackage, isOfDistribution } from './distribution.ts';
import { archivesAround } from './package-files.ts';
import type { SurvivingFile } from './surviving-files.ts';

export interface FileWatch {
  /** Whether an operating system package with this file is to be noted. */
  isWatched(path: string): boolean;
  /** Notes a language package of the report. @param layer `diff_id`; empty where it is unknown */
  reported(path: string, layer: string): void;
  /** Notes that an operating system package has installed the file. */
  owned(path: string, by: InstalledPackage, layer: string): void;
  /** The files that are neither reported nor left to the distribution. */
  unreported(): UnreportedFile[];
}

export type UnreportedFile = Pick<SurvivingFile, 'kind' | 'path'>;

interface Seen {
  /** The layers of which the path is reported. */
  layers: string[];
  /** Something in the archive is reported. */
  hasParts: boolean;
  owners: { isDistribution: boolean; layer: string }[];
}

/**
 * Trivy leaves these to Python, whether a package has installed them or not (sysfile/filter.go).
 */
const LEFT_OUT = /^usr\/lib\/python2\.7\/(?:argparse|lib-dynload\/Python-2\.7|wsgiref)\.egg-info$/;

export function watchFiles(files: readonly SurvivingFile[]): FileWatch {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const archives = new Set(files.flatMap(({ path }) => archivesAround(path)));
  const seen = new Map<string, Seen>();

  const isWatched = (path: string) => byPath.has(path) || archives.has(path);

  /** Null for a path of which nothing is asked. */
  function seenAt(path: string): Seen | null {
    if (!isWatched(path)) return null;
    const known = seen.get(path) ?? { layers: [], hasParts: false, owners: [] };
    seen.set(path, known);
    return known;
  }

  function isReported(file: SurvivingFile): boolean {
    if (file.mark.startsWith('=')) return isReportedTwin(file);
    const { layers = [], hasParts = false } = seen.get(file.path) ?? {};
    if (file.mark === 'any') return hasParts || layers.length > 0;
    return layers.some((layer) => layer === '' || file.layers.includes(layer));
  }

  /**
   * Trivy knows the content by the other name, as long as no later layer removes or replaces it.
   */
  function isReportedTwin({ mark, layers }: SurvivingFile): boolean {
    const twin = byPath.get(mark.slice(1));
    const isSame = twin?.layers.some((layer) => layers.includes(layer));
    return twin !== undefined && isSame === true && !twin.mark.startsWith('=') && isJudged(twin);
  }

  function isJudged(file: SurvivingFile): boolean {
    if (isReported(file) || LEFT_OUT.test(file.path)) return true;
    const owners = ownersOf(file.path);
    const isLeftOut = owners.some(
      ({ isDistribution, layer }) =>
        isDistribution && (layer === '' || file.layers.includes(layer)),
    );
    return isLeftOut || (file.mark === 'quiet' && owners.every((each) => each.isDistribution));
  }

  /** An archive is installed with what is in it. */
  function ownersOf(path: string): Seen['owners'] {
    return seen.get(archivesAround(path)[0] ?? path)?.owners ?? [];
  }

  /** Whether the index knows an archive is unknown where Trivy leaves it to the distribution. */
  function kindOf(path: string): UnreportedFile['kind'] {
    return ownersOf(path).length > 0 ? 'jar' : 'archive';
  }

  return {
    isWatched,
    reported(path, layer) {
      seenAt(path)?.layers.push(layer);
      for (const outer of archivesAround(path)) {
        const archive = seenAt(outer);
        if (archive) archive.hasParts = true;
      }
    },
    owned(path, by, layer) {
      seenAt(path)?.owners.push({ isDistribution: isOfDistribution(by, path), layer });
    },
    unreported: () =>
      files
        .filter((file) => !isJudged(file))
        .map(({ kind, path }) => ({ path, kind: kind === 'archive' ? kindOf(path) : kind })),
  };
}
