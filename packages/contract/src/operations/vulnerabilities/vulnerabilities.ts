/** The vulnerabilities of tagged images of the built-in registry. */
import { GATE_EXPOSURES, SEVERITIES, VERDICTS, VULNERABILITY_ORDERS } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK, VULNERABILITY } from '../../patterns.ts';
import { JobStandingView } from '../../staging/standing-view.ts';
import { RunningCounts } from '../clusters/clusters.ts';
import { ImageFinding } from '../trivy.ts';

/** Counted over the images that the caller may pull. */
export const VulnerabilitySummary = z.strictObject({
  id: z.string(),
  /** The worst of its findings. */
  severity: z.enum(SEVERITIES),
  /** Whether it is known to be exploited; null without the feed. */
  kev: z.boolean().nullable(),
  /** The probability of 0 to 1 that it will be exploited; null where the feed has none. */
  epss: z.number().nullable(),
  /** Null where no report states it. */
  title: z.string().nullable(),
  /** The first ten by name. */
  packages: z.array(z.string()),
  /** The first ten of all packages. */
  fixed_versions: z.array(z.string()),
  images: z.number().int(),
  /** The first fifty by name. */
  folders: z.array(z.string()),
  /**
   * The first scan of these images that found it, or when any tagged image of the registry was
   * first judged to have it, if that was earlier.
   */
  first_seen_at: Time,
  /** Waivers in force of folders that the caller may pull from, and of all folders. */
  waivers: z.number().int(),
  /**
   * Where images of these folders with it run, tagged or not; null where none is known, which says
   * nothing of clusters that do not report.
   */
  running: RunningCounts.nullable(),
});
export type VulnerabilitySummary = z.infer<typeof VulnerabilitySummary>;

const CoveringWaiver = z.strictObject({
  id: Uuid,
  /** Null where the account was removed. */
  approved_by: z.array(z.string().nullable()),
  expires_at: Time,
});

/** A package of an image that has the vulnerability. */
export const VulnerableImage = ImageFinding.extend({
  /** Under the policy of its folder, now. */
  verdict: z.enum(VERDICTS).nullable(),
  /** The waivers in force that cover the finding. */
  waivers: z.array(CoveringWaiver),
});
export type VulnerableImage = z.infer<typeof VulnerableImage>;

/** What the scanner's database says; each part is null where it says nothing. */
const AdvisoryView = z.strictObject({
  title: z.string().nullable(),
  /** Plain text of at most 4,000 characters. */
  description: z.string().nullable(),
  cvss_score: z.number().nullable(),
  cvss_vector: z.string().nullable(),
  cvss_source: z.string().nullable(),
  published_at: Time.nullable(),
  modified_at: Time.nullable(),
  /** Of http and https alone; at most 20, the most specific first. */
  links: z.array(z.strictObject({ url: z.string(), host: z.string() })),
});

/** An image of a repository that has the vulnerability, once. */
const AffectedImage = ImageFinding.omit({
  vulnerability: true,
  severity: true,
  package: true,
  installed_version: true,
  fixed_version: true,
}).extend({
  /** Under the policy of its folder, now. */
  verdict: z.enum(VERDICTS).nullable(),
  /**
   * What the gate does with it, as it was announced last. `off`, `report`, `grace`: it is blocked
   * and served all the same; `refused`: it is served only to privileged accounts.
   */
  state: z.enum(GATE_EXPOSURES),
  /** Whether this vulnerability is among those that block it. */
  blocks: z.boolean(),
  grace_until: Time.nullable(),
  packages: z.array(
    z.strictObject({
      name: z.string(),
      installed_version: z.string(),
      fixed_version: z.string().nullable(),
      severity: z.enum(SEVERITIES),
    }),
  ),
  /** The waivers in force that cover the vulnerability in any of these packages. */
  waivers: z.array(CoveringWaiver),
  /** The newest push of the blocked image that a privilege allowed. */
  let_in: z
    .strictObject({ by: z.string().nullable(), reason: z.string().nullable(), at: Time })
    .nullable(),
  /** To the hour; null where no pull is known. `by` is for those who may push to the folder. */
  last_pull: z.strictObject({ at: Time, by: z.string().nullable() }).nullable(),
  /** Where the image, or one that it lists, runs; null where none is known. */
  running: RunningCounts.nullable(),
});
export type AffectedImage = z.infer<typeof AffectedImage>;

export const VulnerabilityDetail = z.strictObject({
  id: z.string(),
  /** Null where no image that the caller may pull has it. */
  vulnerability: VulnerabilitySummary.nullable(),
  /** Null where no scan told, and without an image of the caller. */
  advisory: AdvisoryView.nullable(),
  /** When the KEV catalog took it in; null where it did not, or does not say. */
  kev_added: z.iso.date().nullable(),
  /** All images that the caller may pull, as the gate announced them last. */
  exposure: z.strictObject({
    places: z.array(
      z.strictObject({
        state: z.enum(GATE_EXPOSURES),
        images: z.number().int(),
        tags: z.number().int(),
        /** How many of the images a privilege brought in although they were blocked. */
        bypassed: z.number().int(),
      }),
    ),
    /** Images that wait in staging: the caller's own; for an administrator, all. */
    staged: z.number().int(),
  }),
  /** These images, the newest first; at most 100. */
  staged: z.array(
    z.strictObject({
      job_id: Uuid,
      image: z.string(),
      tag: z.string(),
      digest: z.string(),
      owner: z.string(),
      created_at: Time,
      /** As of a job; null where the caller may not push to its destination. */
      standing: JobStandingView.nullable(),
    }),
  ),
  /** Each image once, by repository; paged. */
  affected: z.array(AffectedImage),
  /** The same images, once for each package. */
  images: z.array(VulnerableImage),
  /** Whose the folders of these images are: the first ten names of each kind. */
  owners: z.array(
    z.strictObject({
      folder: z.string(),
      /** All accounts that may push to it. */
      accounts: z.array(z.string()),
      /** Groups that may push to it. */
      teams: z.array(z.string()),
      /** People that may push to it and are no reviewers. */
      people: z.array(z.string()),
      robots: z.array(z.string()),
      /** People that may pull from it and decide about what blocks. */
      reviewers: z.array(z.string()),
    }),
  ),
});
export type VulnerabilityDetail = z.infer<typeof VulnerabilityDetail>;

const VulnerabilityQuery = z.strictObject({
  /** A part of the id or of a package's name, in upper or lower case. */
  q: z.string().trim().min(1).max(255).meta({ pattern: NONBLANK }).optional(),
  severity: z.enum(SEVERITIES).optional(),
  fixable: z.enum(['true', 'false']).optional(),
  /** Only images of this folder. */
  folder: z.string().min(1).max(128).optional(),
  /** First seen at this time or later. */
  since: Time.optional(),
  /** Only those of the KEV catalog; none while the feed is missing. */
  kev: z.literal('true').optional(),
  /** Only those with this EPSS probability or more; none while the feed is missing. */
  min_epss: z.coerce.number().min(0).max(1).optional(),
  sort: z
    .enum(VULNERABILITY_ORDERS)
    .default('-risk')
    .describe(
      'A minus sign means descending. `-risk`: those that are known to be exploited first, then by EPSS. `running`: by the number of namespaces in which images with it run. A vulnerability without an EPSS probability counts as the least probable. Equal ones are the most severe first, then those of the most images.',
    ),
});

export const vulnerabilities = {
  listVulnerabilities: {
    method: 'get',
    path: '/vulnerabilities',
    summary:
      'Vulnerabilities of the tagged images that the caller may pull; unless sorted those that are known to be exploited first, then by EPSS, then the most severe, then those of the most images',
    access: 'user',
    token: ['pull'],
    query: VulnerabilityQuery.extend(PAGING),
    success: { status: 200, body: z.array(VulnerabilitySummary) },
  },
  exportVulnerabilities: {
    method: 'get',
    path: '/vulnerabilities/export',
    summary:
      'The same list as CSV, in the same order: at most 50,000 vulnerabilities, and a last line that says so where there are more',
    access: 'user',
    costly: true,
    token: ['pull'],
    query: VulnerabilityQuery,
    success: { status: 200, mediaTypes: ['text/csv'] },
  },
  getVulnerability: {
    method: 'get',
    path: '/vulnerabilities/{id}',
    summary: 'A vulnerability, and the tagged images with it that the caller may pull',
    access: 'user',
    token: ['pull'],
    params: z.strictObject({ id: z.string().regex(new RegExp(VULNERABILITY)) }),
    query: z.strictObject(PAGING),
    success: { status: 200, body: VulnerabilityDetail },
  },
} as const satisfies Contract;
