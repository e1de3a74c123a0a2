/** Waivers: accepted findings, for a scope, with a reason, until a date. */
import {
  AGE,
  isOfOneImage,
  isRepositoryPattern,
  MOST_PATTERN_CHARACTERS,
  MOST_WAIVER_DAYS,
  SIGNATURE,
  VEX_JUSTIFICATIONS,
  VEX_SKIP_REASONS,
  WAIVER_ORDERS,
  WAIVER_STATES,
  WAIVER_STATUSES,
} from '@portcullis/domain';
import { isDigest } from '@portcullis/oci';
import { z } from 'zod';
import { Moment, PAGING, Time, Uuid } from '../common.ts';
import { rule, violation } from '../field-faults.ts';
import { Repository, TagOrDigest } from '../grammar.ts';
import { OpenVex } from '../openvex.ts';
import type { Contract } from '../operation.ts';
import { DIGEST, NONBLANK } from '../patterns.ts';
import { Line, VulnerabilityId } from '../vulnerability-input.ts';
import { REGISTRY_DOWN } from './registries.ts';
import { ImageFinding } from './trivy.ts';

const States = z.enum([...WAIVER_STATES, 'expired']);
const AccountName = z.strictObject({ id: Uuid, username: z.string().nullable() });

export const Waiver = z.strictObject({
  id: Uuid,
  vulnerability: z.string(),
  /** Null, as in the other terms of the scope: every one. */
  package: z.string().nullable(),
  package_version: z.string().nullable(),
  repository: z.string().nullable(),
  digest: z.string().nullable(),
  folder: z.string().nullable(),
  status: z.enum(WAIVER_STATUSES),
  justification: z.enum(VEX_JUSTIFICATIONS).nullable(),
  reason: z.string(),
  ticket: z.string().nullable(),
  /** The OpenVEX document that it was imported from. */
  vex: z.strictObject({ document: z.string(), author: z.string().nullable() }).nullable(),
  /** The number of the review request whose approval left it behind. */
  review: z.number().int().nullable(),
  /** `expired`: requested or approved, and past its end. */
  state: States,
  /**
   * Whether it covers findings now: approved, not ended, and its requester may still request it.
   */
  in_force: z.boolean(),
  requested_by: AccountName,
  approvals: z.array(AccountName.extend({ at: Time })),
  approvals_needed: z.number().int(),
  /** A policy gave it for what the image fixes; it needs no approval. */
  by_policy: z.boolean(),
  /** Who rejected or revoked it. */
  closed: z.strictObject({ by: z.string(), at: Time, reason: z.string().nullable() }).nullable(),
  created_at: Time,
  expires_at: Time,
});
export type Waiver = z.infer<typeof Waiver>;

const Reason = z.string().trim().min(1).max(2_000).meta({ pattern: NONBLANK });

/** The terms of a scope; an absent one and null match everything. */
const SCOPE = {
  vulnerability: VulnerabilityId.describe(
    `Or \`${AGE}\`: that the image of \`digest\` is too young for the policy is accepted; or \`${SIGNATURE}\`: that it lacks signatures.`,
  ),
  package: Line.nullable().default(null),
  package_version: Line.nullable()
    .default(null)
    .describe('As reports write the installed version; needs `package`.'),
  repository: z
    .string()
    .refine(
      isRepositoryPattern,
      rule(
        'REPOSITORY_PATTERN_INVALID',
        'A repository is expected, in which * stands for a part of a segment and ** for any part.',
      ),
    )
    .meta({ maxLength: MOST_PATTERN_CHARACTERS })
    .nullable()
    .default(null)
    .describe('A pattern of whole repository names: `team/*`, `**/web`.'),
  digest: z
    .string()
    .refine(isDigest, rule('DIGEST_INVALID', 'A digest is expected, as sha256:…'))
    .meta({ pattern: DIGEST, maxLength: 135 })
    .nullable()
    .default(null),
  folder: z.string().min(1).max(128).nullable().default(null),
};

const isVersionOfPackage = (scope: { package: string | null; package_version: string | null }) =>
  scope.package_version === null || scope.package !== null;
const PACKAGE_REQUIRED = rule('PACKAGE_REQUIRED', 'A version needs its package.', ['package']);

export const WaiverScope = z.strictObject(SCOPE).refine(isVersionOfPackage, PACKAGE_REQUIRED);
export type WaiverScope = z.infer<typeof WaiverScope>;

export const NewWaiver = z
  .strictObject({
    ...SCOPE,
    status: z.enum(WAIVER_STATUSES),
    justification: z.enum(VEX_JUSTIFICATIONS).nullable().default(null),
    reason: Reason,
    ticket: Line.nullable().default(null),
    expires_at: Time.describe('At most 365 days from now.'),
  })
  .refine(isVersionOfPackage, PACKAGE_REQUIRED)
  .refine(
    ({ vulnerability, digest }) => !isOfOneImage(vulnerability) || digest !== null,
    rule('REQUIRED', 'A waiver of an age or of signatures is for one digest.', ['digest']),
  )
  .superRefine(({ status, justification }, context) => {
    if ((status === 'not_affected') === (justification !== null)) return;
    const at = { path: ['justification'] };
    context.addIssue(
      status === 'not_affected'
        ? violation('JUSTIFICATION_REQUIRED', 'not_affected needs a justification.', at)
        : violation('JUSTIFICATION_UNEXPECTED', 'Only not_affected has a justification.', at),
    );
  });
export type NewWaiver = z.infer<typeof NewWaiver>;

export const WaiverCoverage = z.strictObject({
  /**
   * Digests in repositories, and findings in them. Accounts that review waivers get the numbers of
   * all folders, others those of the folders that they may pull from.
   */
  images: z.number().int(),
  findings: z.number().int(),
  /** The first 100 in folders that the caller may pull from. */
  items: z.array(ImageFinding),
});
export type WaiverCoverage = z.infer<typeof WaiverCoverage>;

export const VexImportResult = z.strictObject({
  /** Requested, as by `POST /waivers`. */
  waivers: z.array(Waiver),
  skipped: z.array(
    z.strictObject({
      /** Position of the statement in the document. */
      statement: z.number().int(),
      reason: z.enum(VEX_SKIP_REASONS),
    }),
  ),
});
export type VexImportResult = z.infer<typeof VexImportResult>;

const OfImage = z.strictObject({ repository: Repository, reference: TagOrDigest });
/** A folder, or a repository with a reference. */
const VexScope = z
  .strictObject({
    folder: z.string().min(1).max(128).optional(),
    repository: Repository.optional(),
    reference: TagOrDigest.optional(),
  })
  .superRefine(({ folder, repository, reference }, context) => {
    const path = (name: string) => ({ path: [name] });
    if (folder !== undefined) {
      if (repository === undefined && reference === undefined) return;
      return context.addIssue(
        violation('INVALID', 'A folder or an image is given.', path('folder')),
      );
    }
    if (repository === undefined)
      context.addIssue(
        violation('REQUIRED', 'A folder or a repository is given.', path('repository')),
      );
    if (reference === undefined)
      context.addIssue(violation('REQUIRED', 'A tag or digest is expected.', path('reference')));
  });

/** A job, or an image of the built-in registry. */
const FindingsOf = z
  .strictObject({
    job_id: Uuid.optional(),
    repository: Repository.optional(),
    reference: TagOrDigest.optional(),
  })
  .superRefine(({ job_id: job, repository, reference }, context) => {
    const path = (name: string) => ({ path: [name] });
    if (job !== undefined && (repository !== undefined || reference !== undefined))
      return context.addIssue(violation('INVALID', 'A job or an image is given.', path('job_id')));
    if (job !== undefined) return;
    if (repository === undefined)
      context.addIssue(
        violation('REQUIRED', 'A job or a repository is given.', path('repository')),
      );
    if (reference === undefined)
      context.addIssue(violation('REQUIRED', 'A tag or digest is expected.', path('reference')));
  });

const Params = z.strictObject({ id: Uuid });
const NO_WAIVER = { status: 404, codes: ['WAIVER_UNKNOWN'] };
const MAY_REVIEW = { status: 403, codes: ['WAIVER_FORBIDDEN'] };
const NO_VEX = { status: 409, codes: ['VEX_EMPTY', 'VEX_TOO_LARGE'] };
const REGISTRY = { status: 503, codes: [...REGISTRY_DOWN.codes] };
const CLOSED = { status: 409, codes: ['WAIVER_CLOSED', 'WAIVER_CHANGED'] };

export const waivers = {
  list: {
    method: 'get',
    path: '/waivers',
    summary:
      'Waivers that the caller may see, newest first unless sorted: its own, those of folders it may pull from, and those of all folders; for administrators all',
    access: 'user',
    token: ['waive', 'pull'],
    query: z.strictObject({
      state: States.optional(),
      vulnerability: z.string().min(1).max(128).optional(),
      q: z
        .string()
        .trim()
        .max(128)
        .optional()
        .describe(
          'Words that all occur in the vulnerability, the package, the image, the folder, the ticket, the reason or the requester.',
        ),
      reviewable: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .describe(
          'Only those that wait for the approval of the caller; none for accounts that may not review.',
        ),
      folder: z.string().min(1).max(128).optional(),
      requested_by: z.string().min(1).max(255).optional().describe('A username.'),
      review: z.coerce
        .number()
        .int()
        .min(1)
        .max(999_999_999)
        .optional()
        .describe('Only those that the approval of this review request left behind.'),
      since: Moment.optional().describe('Requested at this time or later.'),
      until: Moment.optional().describe('Requested before this time.'),
      ends_after: Moment.optional().describe('Ends after this time.'),
      ends_before: Moment.optional().describe('Ends before this time, or has ended before it.'),
      sort: z
        .enum(WAIVER_ORDERS)
        .default('-created_at')
        .describe(
          'A minus sign means descending. States are in the order requested, approved, expired, rejected, revoked. Equal waivers are newest first.',
        ),
      ...PAGING,
    }),
    success: { status: 200, body: z.array(Waiver) },
  },
  ofFindings: {
    method: 'get',
    path: '/waivers/findings',
    summary:
      'Requested and approved waivers of the findings of a job or an image that the caller may see: those that cover one, or would',
    access: 'user',
    token: ['waive', 'pull'],
    query: FindingsOf,
    success: { status: 200, body: z.array(Waiver) },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN'] },
      { status: 404, codes: ['JOB_UNKNOWN', 'IMAGE_UNKNOWN'] },
      REGISTRY,
    ],
  },
  request: {
    method: 'post',
    path: '/waivers',
    summary:
      'Request a waiver; needs the right to push to the folder, or for all folders can_bypass_vuln_block',
    access: 'user',
    token: ['waive'],
    audit: 'waiver.requested',
    body: NewWaiver,
    success: { status: 201, body: Waiver },
    faults: [
      { status: 403, codes: ['WAIVER_FORBIDDEN'] },
      { status: 409, codes: ['WAIVERS_MANY'] },
      { status: 422, codes: ['FOLDER_UNKNOWN', 'WAIVER_END_INVALID'] },
    ],
  },
  preview: {
    method: 'post',
    path: '/waivers/preview',
    summary: 'What a waiver of this scope would cover today; nothing is saved',
    access: 'user',
    token: ['waive'],
    audit: 'waiver.preview',
    body: WaiverScope,
    success: { status: 200, body: WaiverCoverage },
  },
  importVex: {
    method: 'post',
    path: '/waivers/vex',
    summary:
      'Request waivers by an OpenVEX document: each statement not_affected about an image becomes one for each of its packages',
    access: 'user',
    token: ['waive'],
    audit: 'waiver.requested',
    query: z.strictObject({
      /** Absent: for all folders, which needs can_bypass_vuln_block. */
      folder: z.string().min(1).max(128).optional(),
      /** Days until the waivers end. */
      days: z.coerce.number().int().min(1).max(MOST_WAIVER_DAYS).default(90),
    }),
    body: OpenVex,
    success: { status: 200, body: VexImportResult },
    faults: [
      { status: 403, codes: ['WAIVER_FORBIDDEN'] },
      { status: 409, codes: ['VEX_TOO_LARGE', 'WAIVERS_MANY'] },
      { status: 422, codes: ['FOLDER_UNKNOWN'] },
    ],
  },
  exportVex: {
    method: 'get',
    path: '/waivers/vex',
    summary:
      'The waivers in force as an OpenVEX document: of an image of the built-in registry, or of the tagged images of a folder',
    access: 'user',
    token: ['waive', 'pull'],
    query: VexScope,
    success: { status: 200, body: OpenVex },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN'] },
      { status: 404, codes: ['IMAGE_UNKNOWN'] },
      NO_VEX,
      REGISTRY,
    ],
  },
  attachVex: {
    method: 'post',
    path: '/waivers/vex/attach',
    summary:
      'Push the OpenVEX document of an image of the built-in registry as its referrer; needs the right to push',
    access: 'user',
    token: ['push'],
    audit: 'waiver.vex_attached',
    body: OfImage,
    success: {
      status: 201,
      body: z.strictObject({ subject: z.string(), digest: z.string() }),
    },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN'] },
      { status: 404, codes: ['IMAGE_UNKNOWN'] },
      { status: 409, codes: [...NO_VEX.codes, 'QUOTA_EXCEEDED'] },
      { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
    ],
  },
  get: {
    method: 'get',
    path: '/waivers/{id}',
    summary: 'One waiver',
    access: 'user',
    token: ['waive', 'pull'],
    params: Params,
    success: { status: 200, body: Waiver },
    faults: [NO_WAIVER],
  },
  covered: {
    method: 'get',
    path: '/waivers/{id}/preview',
    summary: 'What a waiver covers today, or would once it is approved',
    access: 'user',
    token: ['waive'],
    params: Params,
    success: { status: 200, body: WaiverCoverage },
    faults: [NO_WAIVER],
  },
  approve: {
    method: 'post',
    path: '/waivers/{id}/approve',
    summary:
      'Approve a waiver of another account; it is in force once it has WAIVER_APPROVALS approvals',
    access: 'user',
    audit: 'waiver.approved',
    params: Params,
    success: { status: 200, body: Waiver },
    faults: [
      { status: 403, codes: ['WAIVER_FORBIDDEN', 'WAIVER_OWN_REQUEST'] },
      NO_WAIVER,
      { status: 409, codes: [...CLOSED.codes, 'WAIVER_REQUESTER_FORBIDDEN'] },
    ],
  },
  reject: {
    method: 'post',
    path: '/waivers/{id}/reject',
    summary: 'Reject a requested waiver',
    access: 'user',
    audit: 'waiver.rejected',
    params: Params,
    body: z.strictObject({ reason: Reason }),
    success: { status: 200, body: Waiver },
    faults: [MAY_REVIEW, NO_WAIVER, CLOSED],
  },
  revoke: {
    method: 'post',
    path: '/waivers/{id}/revoke',
    summary: 'Withdraw a requested waiver, or end an approved one',
    access: 'user',
    audit: 'waiver.revoked',
    params: Params,
    body: z.strictObject({ reason: Reason.nullable().default(null) }),
    success: { status: 200, body: Waiver },
    faults: [MAY_REVIEW, NO_WAIVER, CLOSED],
  },
} as const satisfies Contract;
