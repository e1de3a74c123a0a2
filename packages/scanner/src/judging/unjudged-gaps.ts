/**
 * The gaps of an image that no database closes: what Trivy lists, passes over or warns of, and what
 * is not for Linux. They are decided once, in the scan, and kept for re-matches.
 */
import type { UnjudgedGap } from '@portcullis/domain';
import { type PackageDatabase, unreadDatabases } from './package-databases.ts';
import type { PackageList, UnjudgedPackage } from './package-list.ts';

export interface ImageContents {
  packages: Pick<PackageList, 'unjudged'>;
  /** What its layers have. */
  databases: readonly PackageDatabase[];
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
