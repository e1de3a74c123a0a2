/**
 * The shortest list of package upgrades that would clear the findings that block an image: each
 * installed package to the oldest version that clears all of its findings. Packages that go from
 * one version to the same other one are one upgrade: they are built from one source. A hint for
 * people: the next scan decides.
 */
import { comparePackageVersions } from './package-version.ts';

export interface BlockingPackage {
  /** The id of the vulnerability. */
  id: string;
  package: string;
  installedVersion: string;
  /**
   * As in reports: one version, or several of different branches with commas between; null: none.
   */
  fixedVersion: string | null;
}

export interface PackageUpgrade {
  /** In alphabetical order. */
  packages: string[];
  installedVersion: string;
  /** The version to install, or a newer one. */
  to: string;
  /** The ids of the vulnerabilities that it clears. */
  clears: string[];
}

export interface UpgradePlan {
  /** The upgrades that clear most come first. */
  upgrades: PackageUpgrade[];
  /** What no upgrade clears. */
  unfixed: Pick<BlockingPackage, 'id' | 'package' | 'installedVersion'>[];
}

export function upgradePlan(findings: readonly BlockingPackage[]): UpgradePlan {
  const isFixable = ({ fixedVersion }: BlockingPackage) => branchesOf(fixedVersion).length > 0;
  const installed = Map.groupBy(findings.filter(isFixable), nameOf);
  const upgrades = [...installed.values()].flatMap((found) => upgradeOf(found) ?? []);
  const moves = Map.groupBy(upgrades, ({ installedVersion, to }) => `${installedVersion} ${to}`);
  return {
    upgrades: [...moves.values()].flatMap(mergeUpgrades).sort(clearingMostFirst),
    unfixed: distinct(
      findings
        .filter((finding) => !isFixable(finding))
        .map(({ id, package: name, installedVersion }) => ({
          id,
          package: name,
          installedVersion,
        })),
    ),
  };
}

const nameOf = ({ package: name, installedVersion }: BlockingPackage): string =>
  `${name} ${installedVersion}`;

/** Of upgrades from one version to the same other one. */
function mergeUpgrades(upgrades: readonly PackageUpgrade[]): PackageUpgrade[] {
  const [first] = upgrades;
  if (!first) return [];
  const packages = upgrades.flatMap(({ packages: names }) => names).sort();
  const clears = [...new Set(upgrades.flatMap((each) => each.clears))].sort();
  return [{ ...first, packages, clears }];
}

function clearingMostFirst(one: PackageUpgrade, other: PackageUpgrade): number {
  const key = ({ packages, installedVersion }: PackageUpgrade) =>
    `${packages.join()} ${installedVersion}`;
  return other.clears.length - one.clears.length || (key(one) < key(other) ? -1 : 1);
}

function upgradeOf(found: readonly BlockingPackage[]): PackageUpgrade | null {
  const [first] = found;
  if (!first) return null;
  const { package: name, installedVersion } = first;
  const branches = found.map(({ fixedVersion }) => branchesOf(fixedVersion));
  const candidates = [...new Set(branches.flat())].sort(comparePackageVersions);
  const to =
    candidates.find(
      (version) =>
        comparePackageVersions(version, installedVersion) > 0 &&
        branches.every((fixes) => isFixedBy(version, fixes)),
    ) ?? candidates.at(-1);
  if (to === undefined) return null;
  const clears = [...new Set(found.map(({ id }) => id))].sort();
  return { packages: [name], installedVersion, to, clears };
}

function branchesOf(fixedVersion: string | null): string[] {
  return (fixedVersion ?? '')
    .split(',')
    .map((version) => version.trim())
    .filter((version) => version !== '');
}

/** Where the fixes have one of the version's branch, that one counts. */
function isFixedBy(version: string, fixes: readonly string[]): boolean {
  const same = fixes.filter((fix) => majorOf(fix) === majorOf(version));
  return (same.length > 0 ? same : fixes).some((fix) => comparePackageVersions(fix, version) <= 0);
}

function majorOf(version: string): string {
  return /^(?:\d+:)?v?(\d*)/.exec(version)?.[1] ?? '';
}

function distinct<T extends object>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
