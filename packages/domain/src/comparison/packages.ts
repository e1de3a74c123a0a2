/** Which packages two images have in common, and which ones differ. */
import { comparePackageVersions } from '../policy/package-version.ts';

/** A package by its kind, which is an ecosystem or the family of an operating system. */
export interface PackageVersion {
  type: string;
  name: string;
  version: string;
}

export const PACKAGE_CHANGES = ['added', 'removed', 'upgraded', 'downgraded'] as const;

interface PackageChange {
  kind: (typeof PACKAGE_CHANGES)[number];
  type: string;
  name: string;
  /** Null for an added package. */
  from: string | null;
  /** Null for a removed one. */
  to: string | null;
}

export interface PackageComparison {
  /** By name. */
  changes: PackageChange[];
  /** The number of packages that both images have in the same version. */
  unchanged: number;
}

/** A package that an image has several times in one version counts once. */
export function comparePackages(
  from: readonly PackageVersion[],
  to: readonly PackageVersion[],
): PackageComparison {
  const [before, after] = [versionsOf(from), versionsOf(to)];
  const changes: PackageChange[] = [];
  let unchanged = 0;
  for (const [key, { type, name }] of new Map([...before, ...after])) {
    const [old, now] = [before.get(key)?.versions ?? NONE, after.get(key)?.versions ?? NONE];
    const removed = [...old].filter((version) => !now.has(version));
    const added = [...now].filter((version) => !old.has(version));
    unchanged += old.size - removed.length;
    for (const change of pairs(removed, added)) changes.push({ ...change, type, name });
  }
  return { changes: changes.sort(byName), unchanged };
}

const NONE: ReadonlySet<string> = new Set();

interface Installed {
  type: string;
  name: string;
  versions: Set<string>;
}

function versionsOf(packages: readonly PackageVersion[]): Map<string, Installed> {
  const found = new Map<string, Installed>();
  for (const { type, name, version } of packages) {
    const key = JSON.stringify([type, name]);
    const known = found.get(key) ?? { type, name, versions: new Set() };
    known.versions.add(version);
    found.set(key, known);
  }
  return found;
}

/**
 * Where an image has several versions of a package, the newest of one image belongs to the newest
 * of the other. Different texts of one version count as an upgrade.
 */
function pairs(
  removed: readonly string[],
  added: readonly string[],
): Pick<PackageChange, 'kind' | 'from' | 'to'>[] {
  const [old, now] = [newestFirst(removed), newestFirst(added)];
  return Array.from({ length: Math.max(old.length, now.length) }, (_, at) => {
    const [from = null, to = null] = [old[at], now[at]];
    return { kind: kindOf(from, to), from, to };
  });
}

function kindOf(from: string | null, to: string | null): PackageChange['kind'] {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return comparePackageVersions(from, to) > 0 ? 'downgraded' : 'upgraded';
}

function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((one, other) => comparePackageVersions(other, one) || order(one, other));
}

function byName(one: PackageChange, other: PackageChange): number {
  return order(one.name, other.name) || order(one.type, other.type);
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
