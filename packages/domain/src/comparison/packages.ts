/** Which packages two images have in common, and which ones differ. */
import { type Steps, sortedSteps } from '@portcullis/oci';
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

/** How many packages are looked at in a step. */
const AT_ONCE = 200;

/** A package that an image has several times in one version counts once. */
export function* comparePackages(
  from: readonly PackageVersion[],
  to: readonly PackageVersion[],
): Steps<PackageComparison> {
  const before = yield* versionsOf(from);
  const after = yield* versionsOf(to);
  const changes: PackageChange[] = [];
  let unchanged = 0;
  let seen = 0;
  for (const [key, { type, name }] of eachOnce(before, after)) {
    seen += 1;
    if (seen % AT_ONCE === 0) yield;
    const [old, now] = [before.get(key)?.versions ?? NONE, after.get(key)?.versions ?? NONE];
    const removed = [...old].filter((version) => !now.has(version));
    const added = [...now].filter((version) => !old.has(version));
    unchanged += old.size - removed.length;
    for (const change of yield* pairs(removed, added)) changes.push({ ...change, type, name });
  }
  return { changes: yield* sortedSteps(changes, byName), unchanged };
}

const NONE: ReadonlySet<string> = new Set();

interface Installed {
  type: string;
  name: string;
  versions: Set<string>;
}

function* eachOnce<V>(one: Map<string, V>, other: Map<string, V>): Generator<[string, V]> {
  yield* one;
  for (const entry of other) if (!one.has(entry[0])) yield entry;
}

function* versionsOf(packages: readonly PackageVersion[]): Steps<Map<string, Installed>> {
  const found = new Map<string, Installed>();
  for (const [at, { type, name, version }] of packages.entries()) {
    if (at % AT_ONCE === 0) yield;
    const key = JSON.stringify([type, name]);
    const known = found.get(key) ?? { type, name, versions: new Set() };
    known.versions.add(version);
    found.set(key, known);
  }
  return found;
}

type Pair = Pick<PackageChange, 'kind' | 'from' | 'to'>;

/**
 * Where an image has several versions of a package, the newest of one image belongs to the newest
 * of the other. Different texts of one version count as an upgrade.
 */
function* pairs(removed: readonly string[], added: readonly string[]): Steps<Pair[]> {
  const old = yield* sortedSteps(removed, newestFirst);
  const now = yield* sortedSteps(added, newestFirst);
  const found: Pair[] = [];
  for (let at = 0; at < Math.max(old.length, now.length); at += 1) {
    const [from = null, to = null] = [old[at], now[at]];
    found.push({ kind: kindOf(from, to), from, to });
    if (found.length % AT_ONCE === 0) yield;
  }
  return found;
}

function kindOf(from: string | null, to: string | null): PackageChange['kind'] {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return comparePackageVersions(from, to) > 0 ? 'downgraded' : 'upgraded';
}

function newestFirst(one: string, other: string): number {
  return comparePackageVersions(other, one) || order(one, other);
}

function byName(one: PackageChange, other: PackageChange): number {
  return order(one.name, other.name) || order(one.type, other.type);
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
