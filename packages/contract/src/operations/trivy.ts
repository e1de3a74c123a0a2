/**
 * The scanner: its state, policy and database, scans on demand, and the images that have a
 * vulnerability.
 */
import {
  MOST_DATABASE_AGE_DAYS,
  MOST_MIN_AGE_HOURS,
  SEVERITIES,
  UNLESS_FIXES,
  VERDICTS,
} from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { Repository } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { IMAGE, IMAGE_LENGTH, NONBLANK } from '../patterns.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { VulnResultView } from '../staging-job.ts';
import { RegistryId } from './registries.ts';

const Policy = z.strictObject({
  scan_enabled: z.boolean(),
  severities: z.array(z.enum(SEVERITIES)),
  ignore_unfixed: z.boolean(),
  timeout_s: z.number().int().min(1).max(86_400),
  on_error: z.enum(['block', 'allow']),
  /** Whether third-party packages without advisories make the coverage of an image partial. */
  third_party: z.enum(['partial', 'accept']),
  override: z.enum(['privileged', 'anyone']),
  /** A verdict by an older vulnerability database blocks pushes; null for no limit. */
  max_database_age_days: z.number().int().min(1).max(MOST_DATABASE_AGE_DAYS).nullable(),
  /** Hours since this installation first saw an image, before it passes; 0 for none. */
  min_age_hours: z.number().int().min(0).max(MOST_MIN_AGE_HOURS),
  /** What an image has to fix of the one before under its tag, to pass without that wait. */
  unless_fixes: z.enum(UNLESS_FIXES),
});

export const ScanPolicy = Policy.extend({ source: z.enum(['env', 'override']) });
export type ScanPolicy = z.infer<typeof ScanPolicy>;

/** An absent field keeps the value in force. */
export const ScanPolicyChange = Policy.extend({
  severities: z
    .array(z.enum(SEVERITIES))
    .max(SEVERITIES.length)
    .refine(
      (words) => new Set(words).size === words.length,
      rule('SEVERITIES_REPEATED', 'Each severity may be listed once.'),
    )
    .meta({ uniqueItems: true }),
}).partial();
export type ScanPolicyChange = z.infer<typeof ScanPolicyChange>;

const DatabaseFacts = z.strictObject({
  updated_at: Time.nullable(),
  next_update: Time.nullable(),
  age_s: z.number().nullable(),
  source: z.string().nullable(),
});

export const ScannerState = z.strictObject({
  /** Whether the operator enabled a scanner (`TRIVY_ENABLED`). */
  enabled: z.boolean(),
  /** Whether a scanner with a usable database answers. */
  available: z.boolean(),
  version: z.string().nullable(),
  db: DatabaseFacts.nullable(),
  policy: ScanPolicy,
});
export type ScannerState = z.infer<typeof ScannerState>;

/** The last update that was requested by an account; scheduled updates are not shown here. */
export const DatabaseUpdate = z.strictObject({
  state: z.enum(['idle', 'running', 'done', 'failed']),
  requested_by: z.string().nullable(),
  requested_at: Time.nullable(),
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type DatabaseUpdate = z.infer<typeof DatabaseUpdate>;

export const JAVA_INDEX_STATES = ['missing', 'downloading', 'failed', 'ready'] as const;

/**
 * The Java index, which is downloaded separately. Until then Java archives are identified by their
 * own metadata only.
 */
const JavaIndex = z.strictObject({
  state: z.enum(JAVA_INDEX_STATES),
  updated_at: Time.nullable(),
  /** Bytes of the newest download so far. */
  bytes: z.number().int().nullable(),
  /** Why the newest download failed: one of `DATABASE_*`. */
  code: z.string().nullable(),
  /** The same in English, with the repository. */
  message: z.string().nullable(),
});

/**
 * Tagged images of the built-in registry that were scanned before, by the database of their newest
 * scan.
 */
const Rescans = z.strictObject({
  done: z.number().int(),
  left: z.number().int(),
  failed: z.number().int(),
});

/** Tagged images that are compared with a new database without a scan. */
const Rematch = z.strictObject({
  state: z.enum(['running', 'done']),
  /** The date of the database. */
  db_updated_at: Time,
  started_at: Time,
  /** When an image was compared last. */
  updated_at: Time,
  matched: z.number().int(),
  /** Of these, images with other findings than before. */
  changed: z.number().int(),
  /** None of their packages changed in the database. */
  skipped: z.number().int(),
  /** Left to a scan. */
  failed: z.number().int(),
  /** Null before the first image. */
  images_per_second: z.number().nullable(),
});

export const ScannerDatabase = z.strictObject({
  db: DatabaseFacts.nullable(),
  /** Why the newest update failed, also a scheduled one; null after a success. */
  code: z.string().nullable(),
  java_index: JavaIndex,
  /** Null without a database. */
  rescans: Rescans.nullable(),
  /** Null before the first. */
  rematch: Rematch.nullable(),
  update: DatabaseUpdate,
});
export type ScannerDatabase = z.infer<typeof ScannerDatabase>;

export const SCAN_STATES = ['queued', 'running', 'done', 'failed'] as const;

export const ImageScan = z.strictObject({
  id: Uuid,
  state: z.enum(SCAN_STATES),
  registry_id: RegistryId,
  repository: z.string(),
  /** The tag or digest of the request. */
  reference: z.string(),
  digest: z.string(),
  requested_by: z.string(),
  created_at: Time,
  finished_at: Time.nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Null until it is done. */
  counts: SeverityCounts.nullable(),
  /** The findings under the policy in force; null in lists, and until the scan is done. */
  verdict: z.enum(VERDICTS).nullable(),
  result: VulnResultView.nullable(),
});
export type ImageScan = z.infer<typeof ImageScan>;

/** A package of an image that has the vulnerability. */
export const ImageFinding = z.strictObject({
  repository: z.string(),
  folder: z.string(),
  digest: z.string(),
  /** The first 20 by name. */
  tags: z.array(z.string()),
  /** Of the image in this repository. */
  tag_count: z.number().int(),
  vulnerability: z.string(),
  severity: z.enum(SEVERITIES),
  package: z.string(),
  installed_version: z.string(),
  fixed_version: z.string().nullable(),
  scanned_at: Time,
});
export type ImageFinding = z.infer<typeof ImageFinding>;

const Word = z.string().trim().min(1).max(255).meta({ pattern: NONBLANK });

export const trivy = {
  state: {
    method: 'get',
    path: '/trivy/state',
    summary: 'The scanner, its database and the policy in force',
    access: 'user',
    token: 'any',
    success: { status: 200, body: ScannerState },
  },
  setOverride: {
    method: 'put',
    path: '/trivy/override',
    summary: 'Override the scan policy; takes effect at once in every process',
    access: 'admin',
    audit: 'trivy.override',
    body: ScanPolicyChange,
    success: { status: 200, body: ScanPolicy },
  },
  resetOverride: {
    method: 'delete',
    path: '/trivy/override',
    summary: 'Remove the override of the scan policy',
    access: 'admin',
    audit: 'trivy.override_reset',
    success: { status: 204 },
  },
  getDatabase: {
    method: 'get',
    path: '/trivy/db',
    summary: 'The vulnerability database, its last requested update, and the rescans after it',
    access: 'admin',
    success: { status: 200, body: ScannerDatabase },
  },
  updateDatabase: {
    method: 'post',
    path: '/trivy/db/update',
    summary: 'Update the vulnerability database now',
    access: 'admin',
    audit: 'trivy.db_update',
    success: { status: 202, body: DatabaseUpdate },
    faults: [{ status: 409, codes: ['DATABASE_UPDATE_RUNNING', 'SCANNER_DISABLED'] }],
  },
  scanImage: {
    method: 'post',
    path: '/trivy/scans',
    summary:
      'Scan an image; the reply is immediate for a digest that was scanned with this database before',
    access: 'user',
    token: ['scan'],
    audit: 'trivy.scan',
    body: z.strictObject({
      /**
       * `repository`, `repository:tag` or `repository@digest`; without either, the tag is `latest`.
       */
      image: z
        .string()
        .min(1)
        .max(512)
        .meta({ allOf: [{ pattern: IMAGE }, { pattern: IMAGE_LENGTH }] }),
      registry_id: RegistryId.default('__local__'),
    }),
    success: { status: 202, body: ImageScan },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN'] },
      { status: 404, codes: ['REGISTRY_UNKNOWN', 'IMAGE_UNKNOWN'] },
      { status: 409, codes: ['SCANNER_DISABLED', 'LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] },
      {
        status: 422,
        codes: ['NAME_INVALID', 'TAG_INVALID', 'IMAGE_INVALID', 'DIGEST_INVALID', 'HOST_INVALID'],
      },
      { status: 503, codes: ['REGISTRY_UNAVAILABLE', 'REGISTRY_TIMEOUT', 'REGISTRY_RATE_LIMITED'] },
    ],
  },
  getScan: {
    method: 'get',
    path: '/trivy/scans/{id}',
    summary: 'A scan on demand with all findings',
    access: 'user',
    token: ['scan', 'pull'],
    params: z.strictObject({ id: Uuid }),
    success: { status: 200, body: ImageScan },
    faults: [{ status: 404, codes: ['SCAN_UNKNOWN'] }],
  },
  listScans: {
    method: 'get',
    path: '/trivy/scans',
    summary: 'Scans on demand of a repository, newest first',
    access: 'user',
    token: ['scan', 'pull'],
    query: z.strictObject({
      repository: Repository,
      registry_id: RegistryId.default('__local__'),
      open: z.literal('true').optional().describe('Only those that have not ended.'),
      ...PAGING,
    }),
    success: { status: 200, body: z.array(ImageScan) },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN'] },
      { status: 404, codes: ['REGISTRY_UNKNOWN'] },
    ],
  },
  searchFindings: {
    method: 'get',
    path: '/trivy/search',
    summary:
      'Images of the built-in registry that contain the vulnerability or package and that the caller may pull',
    access: 'user',
    token: ['pull'],
    query: z
      .strictObject({
        /** A vulnerability id. */
        cve: Word.optional(),
        /** The whole name of a package. */
        package: Word.optional(),
        ...PAGING,
      })
      .refine(
        (query) => query.cve !== undefined || query.package !== undefined,
        rule('SEARCH_TERM_REQUIRED', 'cve or package is required.', ['cve']),
      ),
    success: { status: 200, body: z.array(ImageFinding) },
  },
} as const satisfies Contract;
