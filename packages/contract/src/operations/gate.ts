/** The gate of the built-in registry, explained. */
import { GATE_DOORS, SEVERITIES } from '@portcullis/domain';
import { MIRROR_ABSENCES } from '@portcullis/domain/mirror';
import { z } from 'zod';
import { PAGING, Time } from '../common.ts';
import { ExplainedImage } from '../gate-decision.ts';
import { Repository, TagOrDigest } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { REGISTRY_DOWN } from './registries.ts';

const ChangedImage = z.strictObject({
  repository: z.string(),
  folder: z.string(),
  digest: z.string(),
  /** The first 20 by name. */
  tags: z.array(z.string()),
  /** Null while no scan says more. */
  passes: z.boolean().nullable(),
  /** Why it does not pass. */
  code: z.string().nullable(),
  /** The first 20 of the vulnerabilities that block it. */
  blocking: z.array(z.string()),
  blocking_total: z.number().int(),
  /** The name of the policy. */
  policy: z.string(),
  /** Until when it is still served although it is blocked. */
  grace_until: Time.nullable(),
  changed_at: Time,
});

const NewVulnerability = z.strictObject({
  vulnerability: z.string(),
  severity: z.enum(SEVERITIES),
  /** Whether it is known to be exploited; null without the feed. */
  kev: z.boolean().nullable(),
  /** The probability of 0 to 1 that it will be exploited; null where the feed has none. */
  epss: z.number().nullable(),
  /** Of the images that the caller may pull. */
  images: z.number().int(),
  first_seen_at: Time,
});

const GateChanges = z.strictObject({
  since: Time,
  /** Images that were blocked since then and are still, and images that pass again. */
  blocked: z.number().int(),
  cleared: z.number().int(),
  /** The newest changes first. */
  items: z.array(ChangedImage),
  /**
   * Vulnerabilities that no image had before, at most 50: those that are known to be exploited
   * first, then by EPSS, then the most severe.
   */
  vulnerabilities: z.array(NewVulnerability),
  vulnerabilities_total: z.number().int(),
});
export type GateChanges = z.infer<typeof GateChanges>;

export const gate = {
  gateChanges: {
    method: 'get',
    path: '/gate/changes',
    summary:
      'Images of the built-in registry that were blocked or cleared, and vulnerabilities that were found for the first time, in what the caller may pull',
    access: 'user',
    token: ['pull'],
    query: z.strictObject({
      /** By default a day ago. */
      since: Time.optional(),
      ...PAGING,
    }),
    success: { status: 200, body: GateChanges },
  },
  explainGate: {
    method: 'get',
    path: '/gate/explain',
    summary:
      'What a door of the gate decides about an image now, and every step; for another account only as an administrator',
    access: 'user',
    costly: true,
    token: ['pull'],
    query: z.strictObject({
      /** What the image leaves or enters. */
      repository: Repository,
      reference: TagOrDigest,
      door: z.enum(GATE_DOORS).default('pull'),
      /** The name of the account that uses the door; the caller by default. */
      account: z.string().trim().min(1).max(255).optional(),
      /** The repository that has the image, where `repository` does not yet. */
      from: Repository.optional(),
    }),
    success: { status: 200, body: ExplainedImage },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN', 'ADMIN_ONLY'] },
      { status: 404, codes: ['IMAGE_UNKNOWN', ...MIRROR_ABSENCES, 'USER_UNKNOWN'] },
      REGISTRY_DOWN,
    ],
  },
} as const satisfies Contract;
