/**
 * The answer of Trivy's server (rpc/scanner/service.proto in Trivy 0.74.0) as the report that
 * Trivy's command line writes. The command line also removes duplicates and sorts
 * (pkg/result/filter.go); the server leaves that to its client.
 */
import { unavailable } from '@portcullis/errors';
import { parseJson } from '@portcullis/oci';
import { z } from 'zod';
import type { RawCvss, RawReport, RawResult, RawVulnerability } from '../reports/raw-report.ts';
import { parseSeverity } from '../reports/score.ts';

const text = z.string().nullish();

const Cvss = z.object({
  v2_vector: text,
  v2_score: z.number().nullish(),
  v3_vector: text,
  v3_score: z.number().nullish(),
  v40_vector: text,
  v40_score: z.number().nullish(),
});

const Found = z.object({
  vulnerability_id: z.string(),
  pkg_id: text,
  pkg_name: z.string(),
  pkg_path: text,
  pkg_identifier: z.object({ purl: text }).nullish(),
  installed_version: text,
  fixed_version: text,
  status: z.number().int().nullish(),
  layer: z.object({ digest: text, diff_id: text }).nullish(),
  severity_source: text,
  primary_url: text,
  title: text,
  description: text,
  references: z.array(z.string()).nullish(),
  severity: z.string().nullish(),
  cvss: z.record(z.string(), Cvss).nullish(),
  published_date: text,
  last_modified_date: text,
});
type Found = z.infer<typeof Found>;

const Result = z.object({
  target: z.string(),
  class: text,
  type: text,
  packages: z
    .array(
      z.object({ name: text, file_path: text, repository: z.object({ class: text }).nullish() }),
    )
    .nullish(),
  vulnerabilities: z.array(Found).nullish(),
});
type Result = z.infer<typeof Result>;

const Answer = z.object({
  os: z
    .object({
      family: z.string(),
      name: text,
      eosl: z.boolean().nullish(),
      extended: z.boolean().nullish(),
      supplier: text,
    })
    .nullish(),
  layers: z.array(z.object({ diff_id: text })).nullish(),
  results: z.array(Result).nullish(),
});

/** @throws unavailable `REMATCH_FAILED`: an unreadable answer is never taken for an empty one */
export async function readAnswer(
  body: Uint8Array,
  name: string,
  version: string,
): Promise<RawReport> {
  try {
    return toRawReport(Answer.parse(await parseJson(body)), name, version);
  } catch (cause) {
    throw unavailable('REMATCH_FAILED', "the scanner server's answer could not be read", { cause });
  }
}

function toRawReport(
  { os, layers, results }: z.infer<typeof Answer>,
  ArtifactName: string,
  Version: string,
): RawReport {
  const OS = os?.family
    ? {
        Family: os.family,
        Name: os.name,
        EOSL: os.eosl,
        Supplier: os.supplier,
        extended: os.extended,
      }
    : null;
  return {
    SchemaVersion: 2,
    Trivy: { Version },
    ArtifactName,
    Metadata: { OS, DiffIDs: (layers ?? []).map(({ diff_id: id }) => id ?? '') },
    Results: (results ?? []).map(toResult),
  };
}

function toResult({ target, class: kind, type, packages, vulnerabilities }: Result): RawResult {
  return {
    Target: target,
    Class: kind,
    Type: type,
    Packages: (packages ?? []).map(({ name, file_path: FilePath, repository }) => ({
      Name: name,
      FilePath,
      Repository: repository && { Class: repository.class },
    })),
    Vulnerabilities: distinct(vulnerabilities ?? [])
      .sort(byPackage)
      .map(toVulnerability),
  };
}

/** Of findings of one package and vulnerability, the one with the greatest fixed version. */
function distinct(found: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>();
  for (const each of found) {
    const key = JSON.stringify([
      each.vulnerability_id,
      each.pkg_id ?? '',
      each.pkg_name,
      each.installed_version ?? '',
      each.pkg_path ?? '',
    ]);
    const known = byKey.get(key);
    if (!known || (known.fixed_version ?? '') < (each.fixed_version ?? '')) byKey.set(key, each);
  }
  return [...byKey.values()];
}

function byPackage(one: Found, other: Found): number {
  return (
    order(one.pkg_name, other.pkg_name) ||
    order(one.pkg_id, other.pkg_id) ||
    order(one.installed_version, other.installed_version) ||
    rank(other) - rank(one) ||
    order(one.vulnerability_id, other.vulnerability_id) ||
    order(one.pkg_path, other.pkg_path)
  );
}

/** By bytes, as Go compares. */
function order(one: string | null | undefined, other: string | null | undefined): number {
  return Buffer.compare(Buffer.from(one ?? ''), Buffer.from(other ?? ''));
}

const RANKS = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

function rank({ severity }: Found): number {
  return RANKS.indexOf(parseSeverity(severity));
}

/** The order of trivy-db's constants (pkg/types/status.go). */
const STATUSES = [
  'unknown',
  'not_affected',
  'affected',
  'fixed',
  'under_investigation',
  'will_not_fix',
  'fix_deferred',
  'end_of_life',
];

function toVulnerability(found: Found): RawVulnerability {
  return {
    VulnerabilityID: found.vulnerability_id,
    PkgName: found.pkg_name,
    PkgPath: found.pkg_path,
    PkgIdentifier: found.pkg_identifier && { PURL: found.pkg_identifier.purl },
    InstalledVersion: found.installed_version,
    FixedVersion: found.fixed_version,
    Status: STATUSES[found.status ?? 0] ?? 'unknown',
    Layer: found.layer && { Digest: found.layer.digest, DiffID: found.layer.diff_id },
    SeveritySource: found.severity_source,
    PrimaryURL: found.primary_url,
    Title: found.title,
    Description: found.description,
    References: found.references,
    Severity: found.severity,
    CVSS: cvssOf(found),
    PublishedDate: found.published_date,
    LastModifiedDate: found.last_modified_date,
  };
}

/** In the order of the command line: the first of equal scores is chosen. */
function cvssOf({ cvss }: Found): Record<string, RawCvss> {
  const entries = Object.entries(cvss ?? {}).map(
    ([source, scores]) =>
      [
        source,
        {
          V2Vector: scores.v2_vector || null,
          V2Score: scores.v2_score || null,
          V3Vector: scores.v3_vector || null,
          V3Score: scores.v3_score || null,
          V40Vector: scores.v40_vector || null,
          V40Score: scores.v40_score || null,
        },
      ] as const,
  );
  return Object.fromEntries(entries.sort(([one], [other]) => order(one, other)));
}
