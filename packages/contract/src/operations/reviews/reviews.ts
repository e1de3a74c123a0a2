/** Review requests: asking for an image with findings that block it, and deciding about that. */
import {
  AGE,
  LOCAL_REGISTRY_ID,
  MOST_REVIEW_CHARACTERS,
  MOST_REVIEWED,
  REVIEW_STATES,
  SIGNATURE,
} from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import { violation } from '../../field-faults.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK } from '../../patterns.ts';
import { Review, ReviewCommentView, ReviewDetail } from '../../reviews/review-view.ts';
import { SAVED_DESTINATION } from '../../staging-input.ts';
import { Line, VulnerabilityId } from '../../vulnerability-input.ts';

const Text = z.string().trim().min(1).max(MOST_REVIEW_CHARACTERS).meta({ pattern: NONBLANK });
const Comment = Text.nullable().default(null);
const Vulnerabilities = z.array(VulnerabilityId).max(MOST_REVIEWED);

const NewReviewFields = z.strictObject({
  job_id: Uuid.optional().describe(
    'A job that has the image. Absent: the image that has the tag in the built-in registry now, or that is kept out of the mirror there.',
  ),
  ...SAVED_DESTINATION,
  vulnerabilities: Vulnerabilities.min(1)
    .optional()
    .describe(
      `Absent: all that block the image there and that no waiver covers. \`${AGE}\` is the age that it lacks there, \`${SIGNATURE}\` are the signatures.`,
    ),
  reason: Text,
  ticket: Line.nullable().default(null),
  until: Time.describe('The end of the waivers that an approval leaves behind; at most 365 days.'),
  push_when_approved: z
    .boolean()
    .default(false)
    .describe(
      'The image of the job is pushed by itself once it is approved, with the rights of then; not into a mirror, where the next pull brings it in.',
    ),
});
export const NewReview = NewReviewFields.superRefine((body, context) => {
  const isElsewhere = (body.external_registry_id ?? LOCAL_REGISTRY_ID) !== LOCAL_REGISTRY_ID;
  if (body.job_id !== undefined || !isElsewhere) return;
  context.addIssue(violation('REQUIRED', 'Another registry needs a job.', { path: ['job_id'] }));
});
export type NewReview = z.infer<typeof NewReview>;

export const ReviewCounts = z.strictObject({
  /** Open requests of other accounts that the caller may decide about and has not approved. */
  to_decide: z.number().int(),
  /** Open requests of the caller. */
  own: z.number().int(),
});
export type ReviewCounts = z.infer<typeof ReviewCounts>;

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const Params = z.strictObject({ number: z.coerce.number().int().min(1).max(999_999_999) });
const NO_REVIEW = { status: 404, codes: ['REVIEW_UNKNOWN'] };
const CLOSED = ['REVIEW_CLOSED', 'REVIEW_CHANGED'];

export const reviews = {
  list: {
    method: 'get',
    path: '/reviews',
    summary:
      'Review requests that the caller may see, newest first: its own, those of folders it may pull from, and for reviewers those for other registries; for administrators all',
    access: 'user',
    token: ['waive', 'pull'],
    query: z.strictObject({
      state: z.enum(REVIEW_STATES).optional(),
      mine: Flag.optional().describe('Only those that the caller requested.'),
      decided: Flag.optional().describe('Only those that the caller approved or rejected.'),
      to_decide: Flag.optional().describe(
        'Only open ones of other accounts that the caller may decide about and has not approved.',
      ),
      folder: z.string().min(1).max(128).optional(),
      q: z
        .string()
        .trim()
        .max(255)
        .optional()
        .describe(
          'Words that all occur in the image, its digest, the destination, the requester, the ticket or the reason, or a whole id of a vulnerability.',
        ),
      ...PAGING,
    }),
    success: { status: 200, body: z.array(Review) },
  },
  count: {
    method: 'get',
    path: '/reviews/count',
    summary: 'How many open requests wait for the caller, and how many of its own are open',
    access: 'user',
    token: ['waive', 'pull'],
    success: { status: 200, body: ReviewCounts },
  },
  request: {
    method: 'post',
    path: '/reviews',
    summary:
      'Ask to accept what blocks a staged image, or one of the built-in registry, for one destination; needs the right to push there, for a mirror that or the right to bring images in, and for another registry can_bypass_vuln_block',
    access: 'user',
    token: ['waive'],
    audit: 'review.requested',
    costly: true,
    body: NewReview,
    success: { status: 201, body: Review },
    faults: [
      {
        status: 403,
        codes: ['WAIVER_FORBIDDEN', 'FOLDER_FORBIDDEN', 'PUSH_EXTERNAL_FORBIDDEN'],
      },
      {
        status: 404,
        codes: ['JOB_UNKNOWN', 'REGISTRY_UNKNOWN', 'IMAGE_UNKNOWN', 'REPORT_UNKNOWN'],
      },
      {
        status: 409,
        codes: [
          'JOB_NOT_READY',
          'REVIEW_OPEN',
          'REVIEW_NOT_NEEDED',
          'REVIEW_TOO_LARGE',
          'REVIEWS_MANY',
        ],
      },
      {
        status: 422,
        codes: [
          'FOLDER_UNKNOWN',
          'NAME_INVALID',
          'WAIVER_END_INVALID',
          'VULNERABILITY_NOT_BLOCKING',
        ],
      },
    ],
  },
  get: {
    method: 'get',
    path: '/reviews/{number}',
    summary:
      'One request with what a decision needs: findings, earlier decisions, what the gate says now, what an approval covers, comments',
    access: 'user',
    token: ['waive', 'pull'],
    costly: true,
    params: Params,
    success: { status: 200, body: ReviewDetail },
    faults: [NO_REVIEW],
  },
  decide: {
    method: 'post',
    path: '/reviews/{number}/decision',
    summary:
      'Approve all, all but some, or nothing of a request of another account; with WAIVER_APPROVALS approvals it is closed and leaves waivers behind',
    access: 'user',
    audit: 'review.decided',
    params: Params,
    body: z.strictObject({
      decision: z.enum(['approve', 'reject']),
      except: Vulnerabilities.default([]).describe(
        `For \`approve\`: what of the request is not approved; \`${AGE}\` for the age, \`${SIGNATURE}\` for the signatures.`,
      ),
      until: Time.nullable()
        .default(null)
        .describe(
          'For `approve`: a sooner end of the waivers than was asked for; null: as asked. Of several approvals the soonest holds.',
        ),
      comment: Comment,
    }),
    success: { status: 200, body: Review },
    faults: [
      { status: 403, codes: ['WAIVER_FORBIDDEN', 'REVIEW_OWN_REQUEST'] },
      NO_REVIEW,
      { status: 409, codes: [...CLOSED, 'WAIVER_REQUESTER_FORBIDDEN'] },
      { status: 422, codes: ['REVIEW_EXCEPT_INVALID', 'WAIVER_END_INVALID'] },
    ],
  },
  withdraw: {
    method: 'post',
    path: '/reviews/{number}/withdraw',
    summary: 'Withdraw an open request of the caller; administrators withdraw any',
    access: 'user',
    token: ['waive'],
    audit: 'review.withdrawn',
    params: Params,
    body: z.strictObject({ comment: Comment }),
    success: { status: 200, body: Review },
    faults: [
      { status: 403, codes: ['REVIEW_NOT_YOURS'] },
      NO_REVIEW,
      { status: 409, codes: CLOSED },
    ],
  },
  comment: {
    method: 'post',
    path: '/reviews/{number}/comments',
    summary: 'Write into the thread of a request, also after it was closed',
    access: 'user',
    token: ['waive'],
    audit: 'review.commented',
    params: Params,
    body: z.strictObject({ text: Text }),
    success: { status: 201, body: ReviewCommentView },
    faults: [
      { status: 403, codes: ['WAIVER_FORBIDDEN'] },
      NO_REVIEW,
      { status: 409, codes: ['REVIEW_COMMENTS_MANY'] },
    ],
  },
} as const satisfies Contract;
