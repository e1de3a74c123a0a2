/** The vulnerabilities of tagged images of the built-in registry. */
import { SEVERITIES, VERDICTS, VULNERABILITY_ORDERS } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK, VULNERABILITY } from '../../patterns.ts';
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
   * When a tagged image of the registry was first judged to have it; until then, the first scan
   * that found it.
   */
  first_seen_at: Time,
  /** Waivers in force of folders that the caller may pull from, and of all folders. */
  waivers: z.number().int(),
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

export const VulnerabilityDetail = z.strictObject({
  id: z.string(),
  /** Null where no image that the caller may pull has it. */
  vulnerability: VulnerabilitySummary.nullable(),
  /** By repository; paged. */
  images: z.array(VulnerableImage),
  /** Accounts that may push to the folders of these images, the first ten of each by name. */
  owners: z.array(z.strictObject({ folder: z.string(), accounts: z.array(z.string()) })),
});
export type VulnerabilityDetail = z.infer<typeof VulnerabilityDetail>;

export const vulnerabilities = {
  listVulnerabilities: {
    method: 'get',
    path: '/vulnerabilities',
    summary:
      'Vulnerabilities of the tagged images that the caller may pull; unless sorted those that are known to be exploited first, then by EPSS, then the most severe, then those of the most images',
    access: 'user',
    token: ['pull'],
    query: z.strictObject({
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
          'A minus sign means descending. `-risk`: those that are known to be exploited first, then by EPSS. A vulnerability without an EPSS probability counts as the least probable. Equal ones are the most severe first, then those of the most images.',
        ),
      ...PAGING,
    }),
    success: { status: 200, body: z.array(VulnerabilitySummary) },
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
