/**
 * The shortest list of package upgrades that would clear the findings that block an image: one
 * upgrade for each installed package, to the oldest version that clears all of its findings. A hint
 * for people: the next scan decides.
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
  package: string;
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
  const fixable = findings.filter(({ fixedVersion }) => branchesOf(fixedVersion).length > 0);
  const installed = Map.groupBy(fixable, nameOf);
  const upgrades = [...installed.values()].flatMap((found) => upgradeOf(found) ?? []);
  return {
    upgrades: upgrades.sort(
      (one, other) =>
        other.clears.length - one.clears.length || (nameOf(one) < nameOf(other) ? -1 : 1),
    ),
    unfixed: distinct(
      findings
        .filter((finding) => !fixable.includes(finding))
        .map(({ id, package: name, installedVersion }) => ({
          id,
          package: name,
          installedVersion,
        })),
    ),
  };
}

function nameOf({
  package: name,
  installedVersion,
}: Pick<PackageUpgrade, 'package' | 'installedVersion'>) {
  return `${name} ${installedVersion}`;
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
  return { package: name, installedVersion, to, clears };
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
