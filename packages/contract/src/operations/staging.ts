/** Declares staging jobs: their lists, orders, reports and events. */
import { z } from 'zod';
import { Time, Uuid, WAIT } from '../common.ts';
import { JOB_EVENTS } from '../events.ts';
import { PushGateDecision } from '../gate-decision.ts';
import type { Contract } from '../operation.ts';
import { bulkJobs } from '../staging/bulk-jobs.ts';
import { JobDestinationView } from '../staging/job-destination.ts';
import { listNewFindings } from '../staging/new-findings.ts';
import { listPassingTags } from '../staging/passing-tags.ts';
import {
  HubSearchQuery,
  HubTagsQuery,
  JobsQuery,
  PullRequest,
  PushPreviewQuery,
  PushRequest,
  ReportQuery,
  SourceTagsQuery,
  SourceTagsRequest,
} from '../staging-input.ts';
import { Job } from '../staging-job.ts';
import { TOKENS_OF_JOBS } from '../token-actions.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN } from './registries.ts';

export const HubImage = z.strictObject({
  name: z.string(),
  description: z.string(),
  star_count: z.number(),
  pull_count: z.number(),
  is_official: z.boolean(),
  is_automated: z.boolean(),
});
export type HubImage = z.infer<typeof HubImage>;

export const HubTag = z.strictObject({
  name: z.string(),
  digest: z.string().nullable(),
  size: z.number().nullable(),
  updated_at: Time.nullable(),
  platforms: z.array(z.string()),
});
export type HubTag = z.infer<typeof HubTag>;

export const PushPreview = z.strictObject({
  /** `host/repository:tag` */
  destination: z.string(),
  local: z.boolean(),
  /** The folder whose grants apply; null for an external destination. */
  folder: z.string().nullable(),
  repository: z.string(),
  tag: z.string(),
  allowed: z.boolean(),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  /**
   * Of an allowed push, the code that refuses it to accounts without `can_bypass_vuln_block`; null
   * where nothing does.
   */
  bypassed: z.string().nullable(),
  /** By the policy of the destination; null where the caller may not write to it. */
  decision: PushGateDecision.nullable(),
});
export type PushPreview = z.infer<typeof PushPreview>;

export const ReportPlatform = z.strictObject({
  /** `os/architecture[/variant]`; null where the image does not declare it. */
  platform: z.string().nullable(),
  /** The digest of the platform's manifest. */
  digest: z.string(),
});
export type ReportPlatform = z.infer<typeof ReportPlatform>;

const JobParams = z.strictObject({ job_id: Uuid });
const HUB_DOWN = { status: 503, codes: ['DOCKERHUB_UNAVAILABLE'] };
const PLACE_INVALID = { status: 422, codes: ['FOLDER_UNKNOWN', 'NAME_INVALID'] };
/** Shared by waiting requests and event streams. */
export const WAITS_MANY = { status: 429, codes: ['STREAMS_MANY'] };
export const REPORT_TYPES = [
  'application/json',
  'application/sarif+json',
  'application/vnd.cyclonedx+json',
  'application/spdx+json',
  'application/xml',
] as const;
export const NO_SCANNER = { status: 503, codes: ['SCANNER_UNAVAILABLE'] };
const NO_JOB = { status: 404, codes: ['JOB_UNKNOWN'] };

/** By the pull gate of the folder in the built-in registry. */
const BLOCKED_AT_SOURCE = [
  'VULN_BLOCKED',
  'SCAN_REQUIRED',
  'DATABASE_TOO_OLD',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
];

export const staging = {
  searchDockerHub: {
    method: 'get',
    path: '/staging/search/dockerhub',
    summary: 'Search Docker Hub',
    access: 'user',
    token: ['pull_external'],
    query: HubSearchQuery,
    success: { status: 200, body: z.array(HubImage) },
    faults: [{ status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN'] }, HUB_DOWN],
  },
  listDockerHubTags: {
    method: 'get',
    path: '/staging/search/dockerhub/tags',
    summary: 'Tags of a Docker Hub repository, newest first',
    access: 'user',
    token: ['pull_external'],
    query: HubTagsQuery,
    success: { status: 200, body: z.array(HubTag) },
    faults: [
      { status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN'] },
      { status: 404, codes: ['IMAGE_UNKNOWN'] },
      HUB_DOWN,
    ],
  },
  listSourceTags: {
    method: 'post',
    path: '/staging/search/tags',
    summary:
      'Tags of a repository of an ad-hoc host, in its order; uses the credentials that a pull would use',
    access: 'user',
    token: ['pull_external'],
    // It changes nothing, but it sends a request to a host on behalf of the caller.
    audit: 'staging.tags',
    query: SourceTagsQuery,
    body: SourceTagsRequest,
    success: { status: 200, body: z.array(z.string()) },
    faults: [
      { status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN', 'FOLDER_FORBIDDEN', 'MIRROR_READ_ONLY'] },
      EGRESS_CLOSED,
      { status: 404, codes: ['REPOSITORY_UNKNOWN', 'CURSOR_UNKNOWN'] },
      { status: 409, codes: ['LOGIN_WITHHELD', 'SOURCE_LOGIN_REFUSED'] },
      REGISTRY_DOWN,
    ],
  },
  pull: {
    method: 'post',
    path: '/staging/pull',
    summary: 'Pull an image into staging and scan it',
    access: 'user',
    token: ['pull', 'pull_external'],
    audit: 'staging.pull',
    idempotent: true,
    body: PullRequest,
    success: { status: 202, body: Job },
    faults: [
      {
        status: 403,
        codes: [
          'PULL_EXTERNAL_FORBIDDEN',
          'FOLDER_FORBIDDEN',
          'MIRROR_READ_ONLY',
          'PUSH_EXTERNAL_FORBIDDEN',
          'OVERRIDE_FORBIDDEN',
          ...BLOCKED_AT_SOURCE,
        ],
      },
      { status: 404, codes: ['REGISTRY_UNKNOWN'] },
      { status: 409, codes: ['IDEMPOTENCY_KEY_REUSED', 'JOBS_MANY'] },
      { status: 422, codes: ['IMAGE_HAS_HOST', ...PLACE_INVALID.codes] },
    ],
  },
  getLastDestination: {
    method: 'get',
    path: '/staging/destination',
    summary: 'Where the caller pulled or pushed to last, if it may still push there',
    access: 'user',
    token: ['push', 'push_external'],
    success: {
      status: 200,
      body: z.strictObject({ destination: JobDestinationView.nullable() }),
    },
  },
  push: {
    method: 'post',
    path: '/staging/push',
    summary: 'Push a staged image to its destination',
    access: 'user',
    token: ['push', 'push_external'],
    audit: 'staging.push',
    idempotent: true,
    body: PushRequest,
    success: { status: 202, body: Job },
    faults: [
      {
        status: 403,
        codes: [
          'VULN_BLOCKED',
          'SCAN_REQUIRED',
          'DATABASE_TOO_OLD',
          'OVERRIDE_FORBIDDEN',
          'ARTIFACT_BLOCKED',
          'SIGNATURE_MISSING',
          'SIGNATURES_NOT_VERIFIED',
          'TOO_YOUNG',
          'FOLDER_FORBIDDEN',
          'MIRROR_READ_ONLY',
          'PUSH_EXTERNAL_FORBIDDEN',
        ],
      },
      { status: 404, codes: ['JOB_UNKNOWN', 'REGISTRY_UNKNOWN'] },
      {
        status: 409,
        codes: ['JOB_NOT_READY', 'IDEMPOTENCY_KEY_REUSED', 'TAG_IMMUTABLE', 'QUOTA_EXCEEDED'],
      },
      PLACE_INVALID,
    ],
  },
  previewPush: {
    method: 'get',
    path: '/staging/push/preview',
    summary: 'The destination of a push with these fields, and whether it would be allowed',
    access: 'user',
    token: ['push', 'push_external'],
    query: PushPreviewQuery,
    success: { status: 200, body: PushPreview },
    faults: [{ status: 404, codes: ['JOB_UNKNOWN', 'REGISTRY_UNKNOWN'] }, PLACE_INVALID],
  },
  listJobs: {
    method: 'get',
    path: '/staging/jobs',
    summary: 'Jobs that the caller may read, newest first unless sorted',
    access: 'user',
    token: [...TOKENS_OF_JOBS, 'report'],
    query: JobsQuery,
    success: { status: 200, body: z.array(Job) },
  },
  bulkJobs,
  getJob: {
    method: 'get',
    path: '/staging/jobs/{job_id}',
    summary: 'One job; with `wait`, once its status has changed',
    access: 'user',
    token: [...TOKENS_OF_JOBS, 'report'],
    params: JobParams,
    query: z.strictObject(WAIT),
    success: { status: 200, body: Job },
    faults: [NO_JOB, WAITS_MANY],
  },
  removeJob: {
    method: 'delete',
    path: '/staging/jobs/{job_id}',
    summary: 'Cancel the running stage, then delete the job and its layout',
    access: 'user',
    audit: 'staging.delete',
    params: JobParams,
    success: { status: 204 },
    faults: [NO_JOB],
  },
  cancelJob: {
    method: 'post',
    path: '/staging/jobs/{job_id}/cancel',
    summary: 'Cancel the running and waiting stages of a job',
    access: 'user',
    audit: 'staging.cancel',
    params: JobParams,
    success: { status: 202, body: Job },
    faults: [NO_JOB, { status: 409, codes: ['JOB_SETTLED'] }],
  },
  retryJob: {
    method: 'post',
    path: '/staging/jobs/{job_id}/retry',
    summary: 'Repeat the stage that failed, or the scan of a staged image',
    access: 'user',
    audit: 'staging.retry',
    params: JobParams,
    success: { status: 202, body: Job },
    faults: [NO_JOB, { status: 409, codes: ['JOB_NOT_RETRYABLE'] }],
  },
  listNewFindings,
  listPassingTags,
  downloadReport: {
    method: 'get',
    path: '/staging/jobs/{job_id}/report',
    summary: 'The full scan report; for an index, one document for all platforms',
    access: 'user',
    token: [...TOKENS_OF_JOBS, 'report'],
    params: JobParams,
    query: ReportQuery,
    success: {
      status: 200,
      mediaTypes: REPORT_TYPES,
    },
    faults: [
      { status: 404, codes: ['JOB_UNKNOWN', 'REPORT_UNKNOWN'] },
      { status: 413, codes: ['REPORT_TOO_LARGE'] },
      { status: 422, codes: ['PLATFORM_UNKNOWN'] },
      NO_SCANNER,
    ],
  },
  listReportPlatforms: {
    method: 'get',
    path: '/staging/jobs/{job_id}/report/platforms',
    summary: 'The platforms that the scan report covers',
    access: 'user',
    token: [...TOKENS_OF_JOBS, 'report'],
    params: JobParams,
    success: { status: 200, body: z.array(ReportPlatform) },
    faults: [NO_JOB],
  },
  streamEvents: {
    method: 'get',
    path: '/staging/events',
    summary: 'Server-sent events of the caller’s jobs and notifications; Last-Event-ID resumes',
    access: 'user',
    token: [...TOKENS_OF_JOBS, 'report'],
    success: { status: 200, mediaTypes: ['text/event-stream'], events: JOB_EVENTS },
    faults: [WAITS_MANY],
  },
} as const satisfies Contract;
