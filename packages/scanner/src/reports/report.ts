/** Converts Trivy's JSON report to the domain's report. Pure. */
import type {
  Coverage,
  CoverageGap,
  PackageType,
  ScannedOs,
  ScanReport,
  ScanTarget,
  SeverityCounts,
  UnseenGap,
  Vulnerability,
  VulnerablePackage,
} from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { inSlices, parseJson, type Steps } from '@portcullis/oci';
import { z } from 'zod';
import { coverageOf, type ReportContext } from '../judging/coverage.ts';
import { RawPackage, RawReport, RawResult, RawVulnerability } from './raw-report.ts';
import { chooseScore, parseSeverity, worse } from './score.ts';
import { utcOf } from './utc-time.ts';

/** What one image of a layout contributes to the report. */
export interface ImageReport {
  platform: string | null;
  coverage: Coverage;
  notes: string[];
  gaps?: CoverageGap[];
  os: ScannedOs | null;
  targets: ScanTarget[];
  vulnerabilities: Vulnerability[];
  baseLayers: readonly string[];
  version: string;
}

/**
 * @throws unavailable `SCAN_REPORT_INVALID`: an unreadable report is never taken for an empty one
 */
export async function readRawReport(bytes: Uint8Array): Promise<RawReport> {
  try {
    return await inSlices(check(await parseJson(bytes)));
  } catch (cause) {
    throw unavailable('SCAN_REPORT_INVALID', "the scanner's report could not be read", { cause });
  }
}

const List = z.custom<unknown[]>(Array.isArray).nullish();
const Shell = RawReport.extend({
  Results: z.array(RawResult.extend({ Packages: List, Vulnerabilities: List })).nullish(),
});

/** In steps: an image has thousands of packages, and some have thousands of vulnerabilities. */
function* check(json: unknown): Steps<RawReport> {
  const { Results, ...report } = Shell.parse(json);
  const results: RawResult[] = [];
  for (const { Packages, Vulnerabilities, ...result } of Results ?? []) {
    const packages = Packages && (yield* checkedItems(RawPackage, Packages));
    const vulnerabilities =
      Vulnerabilities && (yield* checkedItems(RawVulnerability, Vulnerabilities));
    results.push({ ...result, Packages: packages, Vulnerabilities: vulnerabilities });
  }
  return { ...report, Results: results };
}

const ITEMS_PER_STEP = 32;

function* checkedItems<S extends z.ZodType>(
  schema: S,
  items: readonly unknown[],
): Steps<z.output<S>[]> {
  const found: z.output<S>[] = [];
  for (const item of items) {
    found.push(schema.parse(item));
    if (found.length % ITEMS_PER_STEP === 0) yield;
  }
  return found;
}

export function toImageReport(raw: RawReport, context: ReportContext): ImageReport {
  const { coverage, notes, gaps } = coverageOf(raw, context);
  const results = (raw.Results ?? []).filter((result) => isPackages(result));
  return {
    platform: context.platform,
    coverage,
    notes,
    gaps,
    os: osOf(raw),
    targets: results.map((result) => toTarget(raw, result)),
    vulnerabilities: group(results.flatMap((result) => toFindings(raw, result, context))),
    baseLayers: context.baseLayers,
    version: raw.Trivy?.Version ?? 'unknown',
  };
}

/** What cannot be scanned, and the same in English. */
export interface Unseen {
  gap: UnseenGap;
  note: string;
}

/** An image that cannot be scanned counts as a separate image with no coverage. */
export function unseen(what: readonly Unseen[], reports: readonly ImageReport[]): ImageReport[] {
  const nothing = {
    platform: null,
    os: null,
    targets: [],
    vulnerabilities: [],
    baseLayers: [],
    version: reports[0]?.version ?? '',
  };
  return what.map(({ gap, note }) => ({
    ...nothing,
    coverage: 'none',
    notes: [note],
    gaps: [{ ...gap, platform: null }],
  }));
}

/** Merges the reports of all images of a layout: the worst of each. */
export function mergeReports(images: ImageReport[], scanner: ScanReport['scanner']): ScanReport {
  const several = images.length > 1;
  const gaps = images.flatMap(gapsOf);
  const baseLayers = [...new Set(images.flatMap((image) => image.baseLayers))];
  return {
    coverage: worstCoverage(images.map((image) => image.coverage)),
    notes: images.flatMap(({ platform, notes }) =>
      notes.map((note) => (several && platform ? `${platform}: ${note}` : note)),
    ),
    ...(gaps.length > 0 && { gaps }),
    os: images.find((image) => image.os?.eosl)?.os ?? images.find((image) => image.os)?.os ?? null,
    targets: images.flatMap(({ platform, targets }) =>
      targets.map((each) =>
        several && platform ? { ...each, target: `${platform}: ${each.target}` } : each,
      ),
    ),
    vulnerabilities: group(images.flatMap((image) => image.vulnerabilities)),
    ...(baseLayers.length > 0 && { baseLayers }),
    scanner,
  };
}

/**
 * At least one gap for each image that was not completely judged: a policy that accepts some gaps
 * must see all.
 */
function gapsOf({ platform, coverage, gaps = [] }: ImageReport): CoverageGap[] {
  if (coverage === 'full' || gaps.length > 0) return gaps;
  return [{ kind: 'other', platform }];
}

function worstCoverage(all: Coverage[]): Coverage {
  if (all.length === 0 || all.every((coverage) => coverage === 'none')) return 'none';
  return all.every((coverage) => coverage === 'full') ? 'full' : 'partial';
}

function isPackages({ Class, Vulnerabilities }: RawResult): boolean {
  return Class === 'os-pkgs' || Class === 'lang-pkgs' || (Vulnerabilities ?? []).length > 0;
}

function osOf({ Metadata }: RawReport): ScannedOs | null {
  const os = Metadata?.OS;
  return os?.Family ? { family: os.Family, name: os.Name ?? '', eosl: os.EOSL ?? false } : null;
}

/** `image@sha256:… (debian 12.5)` → `debian 12.5`: our path means nothing to people. */
function targetName(raw: RawReport, { Target }: RawResult): string {
  if (!Target.startsWith(raw.ArtifactName)) return Target;
  return /\((.+)\)$/.exec(Target.slice(raw.ArtifactName.length))?.[1] ?? Target;
}

function toTarget(raw: RawReport, result: RawResult): ScanTarget {
  const found = group(toFindings(raw, result, NO_CONTEXT));
  const counts: SeverityCounts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
  for (const { severity } of found) counts[severity] += 1;
  return {
    target: targetName(raw, result),
    class: result.Class ?? '',
    type: result.Type ?? '',
    counts,
  };
}

type FindingContext = Pick<ReportContext, 'platform' | 'digestOf'>;

const NO_CONTEXT: FindingContext = { platform: null, digestOf: new Map() };

function toFindings(raw: RawReport, result: RawResult, context: FindingContext): Vulnerability[] {
  const target = targetName(raw, result);
  return (result.Vulnerabilities ?? []).map((found) => ({
    id: found.VulnerabilityID,
    severity: parseSeverity(found.Severity),
    title: found.Title || null,
    ...chooseScore(found),
    primaryUrl: safeUrl(found.PrimaryURL),
    publishedAt: utcOf(found.PublishedDate),
    packages: [toPackage(found, { target, packageType: typeOf(result) }, context)],
  }));
}

const PACKAGE_TYPES: Partial<Record<string, PackageType>> = {
  'os-pkgs': 'os',
  'lang-pkgs': 'library',
};

function typeOf({ Class }: RawResult): PackageType | undefined {
  return PACKAGE_TYPES[Class ?? ''];
}

function toPackage(
  found: RawVulnerability,
  { target, packageType }: Pick<VulnerablePackage, 'target' | 'packageType'>,
  { platform, digestOf }: FindingContext,
): VulnerablePackage {
  return {
    name: found.PkgName,
    ...(packageType && { packageType }),
    installedVersion: found.InstalledVersion ?? '',
    fixedVersion: found.FixedVersion || null,
    severity: parseSeverity(found.Severity),
    severitySource: found.SeveritySource || null,
    status: found.Status ?? 'unknown',
    target,
    path: found.PkgPath || null,
    purl: found.PkgIdentifier?.PURL || null,
    // Another image may have put this layer into the cache with another compression, under another
    // digest.
    layerDigest: digestOf.get(found.Layer?.DiffID ?? '') ?? (found.Layer?.Digest || null),
    platform,
  };
}

/**
 * A link shown on the page. The database is third-party content, so only http and https are
 * allowed.
 */
function safeUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}

/**
 * One entry per vulnerability id, with its worst rating; each package keeps its own. Most severe
 * first.
 */
function group(findings: Vulnerability[]): Vulnerability[] {
  const byId = new Map<string, Vulnerability>();
  for (const found of findings) {
    const known = byId.get(found.id);
    byId.set(found.id, known ? combine(known, found) : found);
  }
  return [...byId.values()].sort(bySeverity);
}

function combine(one: Vulnerability, other: Vulnerability): Vulnerability {
  const rating = worse(one.severity, other.severity) === one.severity ? one : other;
  return { ...rating, packages: [...one.packages, ...other.packages] };
}

function bySeverity(one: Vulnerability, other: Vulnerability): number {
  if (one.severity !== other.severity)
    return worse(one.severity, other.severity) === one.severity ? -1 : 1;
  return (other.cvssScore ?? -1) - (one.cvssScore ?? -1) || (one.id < other.id ? -1 : 1);
}
