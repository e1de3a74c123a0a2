/** Which vulnerabilities two reports have in common, which are new and which no longer occur. */
import { severityOf } from '../policy/verdict.ts';
import {
  SEVERITIES,
  type Severity,
  type SeverityCounts,
  type Vulnerability,
} from '../policy/vulnerability.ts';

export const FINDING_CHANGES = ['new', 'fixed', 'same'] as const;

/** A vulnerability counts once, as everywhere, however many packages have it. */
interface FindingChange {
  kind: (typeof FINDING_CHANGES)[number];
  id: string;
  /** In the second image where it still occurs, otherwise in the first. */
  severity: Severity;
  title: string | null;
  /** By name. */
  packages: ChangedPackage[];
}

/** A vulnerable package in the versions that are in each of the images. */
interface ChangedPackage {
  name: string;
  from: string[];
  to: string[];
  fixedVersion: string | null;
}

export interface FindingComparison {
  /** The worst first. */
  changes: FindingChange[];
  counts: Record<FindingChange['kind'], SeverityCounts>;
}

type Found = Pick<Vulnerability, 'id' | 'severity' | 'title' | 'packages'>;

export function compareFindings(from: readonly Found[], to: readonly Found[]): FindingComparison {
  const before = new Map(from.map((each) => [each.id, each]));
  const after = new Map(to.map((each) => [each.id, each]));
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const changes = ids.flatMap((id) => changeOf(before.get(id), after.get(id)) ?? []);
  return { changes: changes.sort(byWorst), counts: countsOf(changes) };
}

function changeOf(before: Found | undefined, after: Found | undefined): FindingChange | null {
  const shown = after ?? before;
  if (!shown) return null;
  const kind = before && after ? 'same' : after ? 'new' : 'fixed';
  const { id, severity, title } = shown;
  return { kind, id, severity, title, packages: packagesOf(before, after) };
}

function packagesOf(before: Found | undefined, after: Found | undefined): ChangedPackage[] {
  const found = new Map<
    string,
    { from: Set<string>; to: Set<string>; fixedVersion: string | null }
  >();
  for (const [side, packages] of [
    ['from', before?.packages ?? []],
    ['to', after?.packages ?? []],
  ] as const)
    for (const { name, installedVersion, fixedVersion } of packages) {
      const known = found.get(name) ?? { from: new Set(), to: new Set(), fixedVersion: null };
      known.fixedVersion = fixedVersion ?? known.fixedVersion;
      known[side].add(installedVersion);
      found.set(name, known);
    }
  return [...found]
    .map(([name, { from, to, ...rest }]) => ({ name, from: [...from], to: [...to], ...rest }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function countsOf(changes: readonly FindingChange[]): FindingComparison['counts'] {
  const none = () => ({ CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 });
  const counts = { new: none(), fixed: none(), same: none() };
  for (const { kind, severity } of changes) counts[kind][severity] += 1;
  return counts;
}

function byWorst(one: FindingChange, other: FindingChange): number {
  return (
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    (one.id < other.id ? -1 : 1)
  );
}

/** The findings of a report on one platform. Those without a platform concern all of them. */
export function findingsOnPlatform(
  vulnerabilities: readonly Vulnerability[],
  platform: string,
): Vulnerability[] {
  return vulnerabilities.flatMap((found) => {
    const packages = found.packages.filter(
      (each) => each.platform === null || each.platform === platform,
    );
    if (packages.length === 0) return [];
    const severities = packages.map((each) => severityOf(found, each));
    const severity = SEVERITIES.find((each) => severities.includes(each)) ?? found.severity;
    return [{ ...found, packages, severity }];
  });
}
