/**
 * The gaps of an image that no database closes: what Trivy lists, passes over or warns of, and what
 * is not for Linux. They are decided once, in the scan, and kept for re-matches.
 */
import type { UnjudgedGap } from '@portcullis/domain';
import type { UnreportedFile } from '../unread/file-watch.ts';
import { otherNames } from '../unread/os-names.ts';
import type { ImageFiles } from '../unread/surviving-files.ts';
import { type PackageDatabase, unreadDatabases } from './package-databases.ts';
import type { PackageList, UnjudgedPackage } from './package-list.ts';

export interface ImageContents {
  packages: Pick<PackageList, 'unjudged'>;
  /** What its layers have. */
  databases: readonly PackageDatabase[];
  /** The files of packages that Trivy passed over, and what the layers say of the image. */
  files: Pick<ImageFiles, 'releases' | 'incomplete'> & { unreported: readonly UnreportedFile[] };
  /** Without the index another gap names the archives. */
  hasJavaIndex: boolean;
  /** The operating system by the image's configuration; empty where it names none. */
  configOs: string;
  /** The one that Trivy recognised in the files. */
  family: string | null;
  /** Trivy's warnings. */
  warnings: readonly string[];
}

const NAMED = 5;

export function unjudgedGaps(image: ImageContents): UnjudgedGap[] {
  return [
    ...configGaps(image),
    ...packageGaps(image.packages.unjudged),
    ...databaseGaps(unreadDatabases(image.databases, image.family)),
    ...fileGaps(image),
    ...incompleteGaps(image.files.incomplete),
    ...otherNames(image.files.releases, image.family).map((os) => ({
      kind: 'os_derived' as const,
      os,
      judgedAs: image.family ?? '',
    })),
    ...image.warnings.map((message) => ({ kind: 'scanner_warning' as const, message })),
  ];
}

/** Engines take an image that names none for one of the host's system. */
function configGaps({ configOs, family }: ImageContents): UnjudgedGap[] {
  if (configOs === 'linux' || (configOs === '' && family !== null)) return [];
  return [{ kind: 'os_unjudged', os: configOs || null }];
}

function packageGaps(unjudged: readonly UnjudgedPackage[]): UnjudgedGap[] {
  const groups = Map.groupBy(unjudged, ({ why, type }) => `${why} ${type}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { why: kind, type: packageType } = first;
    const packages = [...new Set([first, ...others].map(({ name }) => name))].sort();
    const count = others.length + 1;
    return [{ kind, packageType, count, packages: packages.slice(0, NAMED) }];
  });
}

function databaseGaps(databases: readonly PackageDatabase[]): UnjudgedGap[] {
  const groups = Map.groupBy(databases, ({ system }) => system);
  return [...groups].map(([system, found]) => {
    const paths = [...new Set(found.map(({ path }) => path))].sort();
    return {
      kind: 'database_unread' as const,
      system,
      count: paths.length,
      paths: paths.slice(0, NAMED),
    };
  });
}

function fileGaps({ files, hasJavaIndex }: ImageContents): UnjudgedGap[] {
  const groups = Map.groupBy(files.unreported, ({ kind }) => kind);
  return [...groups].flatMap(([kind, found]): UnjudgedGap[] => {
    const named = { count: found.length, paths: namesOf(found) };
    if (kind !== 'archive') return [{ kind: 'files_unread', packageType: kind, ...named }];
    return hasJavaIndex ? [{ kind: 'archives_unknown', ...named }] : [];
  });
}

function namesOf(files: readonly UnreportedFile[]): string[] {
  return files
    .map(({ path }) => path)
    .sort()
    .slice(0, NAMED);
}

function incompleteGaps(layers: readonly string[]): UnjudgedGap[] {
  if (layers.length === 0) return [];
  return [{ kind: 'layers_unlisted', count: layers.length, layers: layers.slice(0, NAMED) }];
}
