/** Filtering and grouping of findings. */
import type { VulnerabilityView } from '@portcullis/contract';
import { SEVERITIES, type Severity, type SeverityCounts } from '@portcullis/domain';

export type ShownFinding = VulnerabilityView;
export type FoundPackage = ShownFinding['packages'][number];

export interface ShownFindingFilter {
  /** Empty: all. */
  severities: readonly Severity[];
  fixableOnly: boolean;
  /** Only those that are known to be exploited. */
  exploitedOnly: boolean;
  /** Only those that the previous scan did not find. */
  newOnly: boolean;
  text: string;
  /** Digest of the only layer whose findings are listed; null for all layers. */
  layer: string | null;
}

export const NO_FILTER: ShownFindingFilter = {
  severities: [],
  fixableOnly: false,
  exploitedOnly: false,
  newOnly: false,
  text: '',
  layer: null,
};

export interface FindingRow {
  key: string;
  severity: Severity;
  /** A vulnerability's id, or a package's name. */
  name: string;
  findings: ShownFinding[];
  packages: FoundPackage[];
  /** The highest of its findings; null where none has one. */
  cvss: number | null;
  epss: number | null;
  /** Whether one of its findings is known to be exploited. */
  exploited: boolean;
}

function isFixable({ packages }: ShownFinding): boolean {
  return packages.some(({ fixed_version }) => fixed_version !== null && fixed_version !== '');
}

/** The findings of packages that a layer brought, with those packages and their severity alone. */
export function findingsOfLayer(all: readonly ShownFinding[], layer: string): ShownFinding[] {
  return all.flatMap((found) => {
    const packages = found.packages.filter(({ layer_digest: digest }) => digest === layer);
    return packages.length === 0
      ? []
      : [{ ...found, packages, severity: worstOf(packages) ?? found.severity }];
  });
}

/** Each finding counts once. */
export function countsOf(findings: readonly ShownFinding[]): SeverityCounts {
  const counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/**
 * Without `layer`: `findingsOfLayer` filters by it once, not at each key.
 * @param newIds ids of the new findings
 */
export function filterFindings(
  all: readonly ShownFinding[],
  filter: Omit<ShownFindingFilter, 'layer'>,
  newIds: ReadonlySet<string>,
): ShownFinding[] {
  const text = filter.text.trim().toLowerCase();
  return all.filter(
    (found) =>
      (filter.severities.length === 0 || filter.severities.includes(found.severity)) &&
      (!filter.fixableOnly || isFixable(found)) &&
      (!filter.exploitedOnly || found.kev === true) &&
      (!filter.newOnly || newIds.has(found.id)) &&
      (text === '' || textOf(found).includes(text)),
  );
}

const texts = new WeakMap<ShownFinding, string>();

/** What a search finds. It is made once: thousands of findings are searched at each key. */
function textOf(found: ShownFinding): string {
  const known = texts.get(found);
  if (known !== undefined) return known;
  const places = found.packages.map(
    ({ name, path, target }) => `${name}\n${path ?? ''}\n${target}`,
  );
  const text = `${found.id}\n${found.title}\n${places.join('\n')}`.toLowerCase();
  texts.set(found, text);
  return text;
}

/** The most severe first, then by CVSS score. */
export function bySeverity(findings: readonly ShownFinding[]): ShownFinding[] {
  return findings.toSorted(
    (a, b) => rank(a) - rank(b) || (b.cvss_score ?? 0) - (a.cvss_score ?? 0) || compare(a.id, b.id),
  );
}

/** @param findings the most severe first */
export function byVulnerability(findings: readonly ShownFinding[]): FindingRow[] {
  return findings.map((found) => ({
    key: found.id,
    severity: found.severity,
    name: found.id,
    findings: [found],
    packages: found.packages,
    cvss: found.cvss_score,
    epss: found.epss,
    exploited: found.kev === true,
  }));
}

/**
 * By package: the most severe first, then by the number of findings.
 *
 * @param findings the most severe first
 */
export function byPackage(findings: readonly ShownFinding[]): FindingRow[] {
  const rows = new Map<string, FindingRow>();
  for (const found of findings) {
    for (const each of found.packages) {
      const key = packageKey(each);
      const row = rows.get(key) ?? {
        key,
        severity: each.severity,
        name: each.name,
        findings: [],
        packages: [],
        cvss: null,
        epss: null,
        exploited: false,
      };
      if (rank(each) < rank(row)) row.severity = each.severity;
      if (row.findings.at(-1) !== found) addFinding(row, found);
      row.packages.push(each);
      rows.set(key, row);
    }
  }
  return [...rows.values()].sort(
    (a, b) => rank(a) - rank(b) || b.findings.length - a.findings.length || compare(a.name, b.name),
  );
}

function addFinding(row: FindingRow, found: ShownFinding): void {
  row.findings.push(found);
  row.cvss = higher(row.cvss, found.cvss_score);
  row.epss = higher(row.epss, found.epss);
  row.exploited ||= found.kev === true;
}

function higher(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

const packageKey = ({ name, installed_version: version }: FoundPackage) => `${name} ${version}`;

/** The severity of a finding for the package of a row; the worst if they differ. */
export function severityIn(found: ShownFinding, { key }: FindingRow): Severity {
  const own = found.packages.filter((each) => packageKey(each) === key);
  return worstOf(own) ?? found.severity;
}

function worstOf(packages: readonly FoundPackage[]): Severity | undefined {
  return SEVERITIES.find((severity) => packages.some((each) => each.severity === severity));
}

function rank({ severity }: { severity: Severity }): number {
  return SEVERITIES.indexOf(severity);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Installed and fixed versions without duplicates. */
export function versionsOf(packages: readonly FoundPackage[]): {
  installed: string;
  fixed: string;
} {
  const unique = (values: (string | null)[]) =>
    [...new Set(values.filter((value) => value))].join(', ');
  return {
    installed: unique(packages.map(({ installed_version }) => installed_version)),
    fixed: unique(packages.map(({ fixed_version }) => fixed_version)),
  };
}
