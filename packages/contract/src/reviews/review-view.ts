/** Review requests as the API shows them: one question about an image for one destination. */
import {
  REVIEW_CHANGES,
  REVIEW_PUSH_STATES,
  REVIEW_STATES,
  SEVERITIES,
  WAIVER_STATES,
} from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import { PushGateDecision } from '../gate-decision.ts';
import { SignatureRequirement } from '../operations/policies.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { JobDestinationView } from '../staging/job-destination.ts';

/** The username of that time; null: no account. */
const ActingAccount = z.strictObject({
  id: z.string().nullable(),
  username: z.string().nullable(),
});

export const Review = z.strictObject({
  /** What people call it: #42. */
  number: z.number().int(),
  state: z.enum(REVIEW_STATES),
  image: z.strictObject({
    digest: z.string(),
    /** Where it was pulled from; null for an ad-hoc host. */
    registry_id: z.string().nullable(),
    host: z.string(),
    repository: z.string(),
    tag: z.string(),
  }),
  /**
   * Null for an image that was asked about in the built-in registry, once it was removed, and for a
   * requester whose job it is not.
   */
  job_id: Uuid.nullable(),
  /** What no longer holds: the job was removed, or has another image now. */
  changed: z.enum(REVIEW_CHANGES).nullable(),
  destination: JobDestinationView,
  /** Vulnerabilities that it asks for. */
  findings_total: z.number().int(),
  counts: SeverityCounts,
  /** How many of them are known to be exploited; null without the KEV feed. */
  exploited: z.number().int().nullable(),
  /** How many of them were approved; 0 while it is open. */
  approved_total: z.number().int(),
  /** The age that the image lacks, where the request asks for that; null: it does not. */
  age: z
    .strictObject({
      /** When this installation first saw the image; null where that is unknown. */
      sighted_at: Time.nullable(),
      /** When it passes by itself, by the policy of the moment of the request. */
      waits_until: Time,
      /** Null while the request is open. */
      approved: z.boolean().nullable(),
    })
    .nullable(),
  /** The signatures that the image lacks, where the request asks for that; null: it does not. */
  signatures: z
    .strictObject({
      /** By the policy of the moment of the request. */
      missing: z.array(SignatureRequirement),
      /** Null while the request is open. */
      approved: z.boolean().nullable(),
    })
    .nullable(),
  reason: z.string(),
  ticket: z.string().nullable(),
  /** The end of the waivers that an approval leaves behind: as asked, or as approved. */
  until: Time,
  /** The push that follows an approval by itself; null: the requester pushes. */
  push: z
    .strictObject({
      /**
       * `wanted`: the request is open. `due`: it is requested within a minute. `requested`: the job
       * shows it. `refused`: `code` and a comment say why. `dropped`: nothing was approved.
       */
      state: z.enum(REVIEW_PUSH_STATES),
      code: z.string().nullable(),
    })
    .nullable(),
  requested_by: z.strictObject({ id: Uuid, username: z.string() }),
  approvals: z.array(
    ActingAccount.extend({
      at: Time,
      /** Vulnerabilities that this account does not approve. */
      except: z.array(z.string()),
      /** The sooner end that it sets; null: as asked. */
      until: Time.nullable(),
      comment: z.string().nullable(),
    }),
  ),
  approvals_needed: z.number().int(),
  /** The decision, the withdrawal, or the end; null while it is open. */
  closed: z
    .strictObject({ by: ActingAccount, at: Time, comment: z.string().nullable() })
    .nullable(),
  comments_total: z.number().int(),
  created_at: Time,
  /** When an open request expires. */
  ends_at: Time,
  /** What the caller may do with it now. */
  may: z.strictObject({
    decide: z.boolean(),
    /** Why not; null where it may. */
    decide_code: z.string().nullable(),
    withdraw: z.boolean(),
    comment: z.boolean(),
  }),
});
export type Review = z.infer<typeof Review>;

export const ReviewCommentView = z.strictObject({
  id: Uuid,
  author: ActingAccount,
  text: z.string(),
  /** Of a comment that no account wrote: why an automatic push was refused. */
  code: z.string().nullable(),
  created_at: Time,
});
export type ReviewCommentView = z.infer<typeof ReviewCommentView>;

/** How a vulnerability was decided about in another request or waiver that the caller may see. */
const EarlierDecisionView = z.strictObject({
  decision: z.enum([...WAIVER_STATES, 'expired']),
  /** The waiver; null where the decision left none. */
  waiver_id: Uuid.nullable(),
  review: z.number().int().nullable(),
  folder: z.string().nullable(),
  /** Whether it was about the same image. */
  same_image: z.boolean(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  at: Time,
  until: Time.nullable(),
});

const ReviewFinding = z.strictObject({
  vulnerability: z.string(),
  severity: z.enum(SEVERITIES),
  title: z.string().nullable(),
  cvss_score: z.number().nullable(),
  cvss_vector: z.string().nullable(),
  primary_url: z.string().nullable(),
  published_at: z.string().nullable(),
  /** Whether it is known to be exploited; null without the KEV feed. */
  kev: z.boolean().nullable(),
  /** The probability of 0 to 1 that it will be exploited; null where EPSS has none. */
  epss: z.number().nullable(),
  /** Those that block; the first 20. */
  packages: z.array(
    z.strictObject({
      name: z.string(),
      installed_version: z.string(),
      fixed_version: z.string().nullable(),
      /** Whether the base image brought it; null where the image does not tell. */
      in_base: z.boolean().nullable(),
    }),
  ),
  packages_total: z.number().int(),
  /** Null while the request is open. */
  approved: z.boolean().nullable(),
  /** Whether it blocks this push now; null where the image has no report any more. */
  blocks: z.boolean().nullable(),
  /** The newest 5, before the request was closed. */
  earlier: z.array(EarlierDecisionView),
});

export const ReviewDetail = Review.extend({
  /** The most severe first. */
  findings: z.array(ReviewFinding),
  /**
   * What the gate decides about this push now for an account without `can_bypass_vuln_block`, by
   * the policy of the destination; null where the image has no report any more.
   */
  decision: PushGateDecision.nullable(),
  /** Vulnerabilities that block it now and are not asked for: the first 100, and how many. */
  also_blocking: z.array(z.string()),
  also_blocking_total: z.number().int(),
  /**
   * Where the folder has this image already, which an approval covers, too: the first 100
   * repositories with 20 tags of each. Null for another registry.
   */
  covers: z
    .array(
      z.strictObject({
        repository: z.string(),
        tags: z.array(z.string()),
        tag_count: z.number().int(),
      }),
    )
    .nullable(),
  /** Oldest first, at most 100. */
  comments: z.array(ReviewCommentView),
});
export type ReviewDetail = z.infer<typeof ReviewDetail>;
