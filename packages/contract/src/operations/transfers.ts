/** Declares transfers: their plans, orders, reports and events. */
import { RETRIED_JOBS, TRANSFER_STATUSES } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import { TRANSFER_EVENTS } from '../events.ts';
import { PlannedDecision } from '../gate-decision.ts';
import type { Contract } from '../operation.ts';
import {
  NewSchedule,
  SchedulePatch,
  SchedulesQuery,
  TimesQuery,
  TransferQuery,
  TransferReportQuery,
  TransferRequest,
  TransfersQuery,
} from '../transfer-input.ts';
import { Fault, TransferDetail, TransferView } from '../transfer-view.ts';
import { NO_SCANNER, REPORT_TYPES, WAITS_MANY } from './staging.ts';

export const TransferAccepted = z.strictObject({
  transfer_id: Uuid,
  /** The jobs known so far; a worker adds those of entries with `tags`. */
  job_ids: z.array(Uuid),
  count: z.number().int(),
});
export type TransferAccepted = z.infer<typeof TransferAccepted>;

export const PLAN_STATES = [
  'copy',
  'present',
  'refused',
  'failed',
  'not_looked_at',
  'skipped',
] as const;

export const PlanItem = z.strictObject({
  index: z.number().int(),
  repository: z.string(),
  /** Null where the tags that match a pattern were not listed. */
  tag: z.string().nullable(),
  /** `host/repository:tag` as it would be written. */
  destination: z.string().nullable(),
  /** `skipped`: too young for the policy of the destination, so that an older tag is taken. */
  state: z.enum(PLAN_STATES),
  digest: z.string().nullable(),
  bytes_total: z.number().nullable(),
  /** Null also where nothing is moved, because the tag refuses the image. */
  bytes_to_move: z.number().nullable(),
  /**
   * Why the image is not read or not allowed; of an image to copy: `TAG_IMMUTABLE`, because its tag
   * exists with another digest, so that the push would be refused. `TOO_YOUNG` of a skipped tag.
   */
  code: z.string().nullable(),
  reason: z.string().nullable(),
  /** Until when a skipped tag is too young. */
  until: Time.nullable(),
  /** Null where the image was not read, and while no report that the caller may read is known. */
  decision: PlannedDecision.nullable(),
});
export type PlanItem = z.infer<typeof PlanItem>;

export const TransferPlan = z.strictObject({
  items: z.array(PlanItem),
  totals: z.strictObject({
    /** Without the skipped ones. */
    images: z.number().int(),
    copy: z.number().int(),
    present: z.number().int(),
    refused: z.number().int(),
    failed: z.number().int(),
    not_looked_at: z.number().int(),
    skipped: z.number().int(),
    /** Of the images to copy and those that are present: the gate or the tag would refuse them. */
    blocked: z.number().int(),
    /** Of the images to copy and those that are present: without a decision before their scan. */
    not_judged: z.number().int(),
    /** A blob that several images share counts once. */
    bytes_to_move: z.number(),
  }),
});
export type TransferPlan = z.infer<typeof TransferPlan>;

export const ScheduleView = z.strictObject({
  id: Uuid,
  name: z.string(),
  cron: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  ...TransferRequest.shape,
  owner: z.string(),
  created_at: Time,
  next_run: Time.nullable(),
  last_run: Time.nullable(),
  last_transfer_id: Uuid.nullable(),
  /** Why the last run did not start; null if it started. */
  last_error: z.strictObject({ ...Fault.shape, at: Time }).nullable(),
  /** The last ten transfers that it started, newest first. */
  recent_runs: z.array(
    z.strictObject({
      transfer_id: Uuid,
      at: Time,
      status: z.enum(TRANSFER_STATUSES),
      /** Something failed, and only because the gate stopped it. */
      blocked: z.boolean(),
    }),
  ),
});
export type ScheduleView = z.infer<typeof ScheduleView>;

const TransferParams = z.strictObject({ id: Uuid });
const TransferRetryQuery = z.strictObject({ only: z.enum(RETRIED_JOBS).default('all') });
const NO_TRANSFER = { status: 404, codes: ['TRANSFER_UNKNOWN'] };
const NO_SCHEDULE = { status: 404, codes: ['SCHEDULE_UNKNOWN'] };
const REFUSED = {
  status: 403,
  codes: [
    'FOLDER_FORBIDDEN',
    'MIRROR_READ_ONLY',
    'PULL_EXTERNAL_FORBIDDEN',
    'PUSH_EXTERNAL_FORBIDDEN',
    'OVERRIDE_FORBIDDEN',
  ],
};
/** What runs later must not outlive the token that made it. */
const OF_A_TOKEN = { status: 403, codes: ['SESSION_REQUIRED'] };
const ENDS = [REFUSED, { status: 404, codes: ['REGISTRY_UNKNOWN'] }];

export const transfers = {
  transfer: {
    method: 'post',
    path: '/transfer',
    summary:
      'Copy many images; if any entry is invalid, all faults are listed and nothing is started',
    access: 'user',
    token: ['transfer'],
    audit: 'transfer.request',
    idempotent: true,
    body: TransferRequest,
    success: { status: 202, body: TransferAccepted },
    faults: [
      ...ENDS,
      { status: 409, codes: ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE', 'JOBS_MANY'] },
    ],
  },
  planTransfer: {
    method: 'post',
    path: '/transfer/plan',
    summary:
      'What a transfer would copy, what the destination has already, which entries would be refused, and what the gate would block by earlier scans',
    access: 'user',
    costly: true,
    token: ['transfer'],
    // It changes nothing, but it sends requests to registries on behalf of the caller.
    audit: 'transfer.plan',
    body: TransferRequest,
    success: { status: 200, body: TransferPlan },
    faults: [{ status: 404, codes: ['REGISTRY_UNKNOWN'] }],
  },
  listTransfers: {
    method: 'get',
    path: '/transfer/jobs',
    summary: 'Your transfers; for an administrator, all',
    access: 'user',
    token: ['transfer', 'report'],
    query: TransfersQuery,
    success: { status: 200, body: z.array(TransferView) },
  },
  streamTransferEvents: {
    method: 'get',
    path: '/transfer/events',
    summary: 'Server-sent events of the caller’s transfers; Last-Event-ID resumes',
    access: 'user',
    token: ['transfer', 'report'],
    success: { status: 200, mediaTypes: ['text/event-stream'], events: TRANSFER_EVENTS },
    faults: [WAITS_MANY],
  },
  getTransfer: {
    method: 'get',
    path: '/transfer/jobs/{id}',
    summary: 'One transfer, with a page of its jobs; with `wait`, once its status has changed',
    access: 'user',
    token: ['transfer', 'report'],
    params: TransferParams,
    query: TransferQuery,
    success: { status: 200, body: TransferDetail },
    faults: [NO_TRANSFER, WAITS_MANY],
  },
  downloadTransferReport: {
    method: 'get',
    path: '/transfer/jobs/{id}/report',
    summary: 'One report for all images of a transfer',
    access: 'user',
    token: ['transfer', 'report'],
    params: TransferParams,
    query: TransferReportQuery,
    success: { status: 200, mediaTypes: REPORT_TYPES },
    faults: [NO_TRANSFER, NO_SCANNER],
  },
  removeTransfer: {
    method: 'delete',
    path: '/transfer/jobs/{id}',
    summary: 'Cancel the running jobs, then delete the transfer with its jobs',
    access: 'user',
    audit: 'transfer.delete',
    params: TransferParams,
    success: { status: 204 },
    faults: [NO_TRANSFER],
  },
  cancelTransfer: {
    method: 'post',
    path: '/transfer/jobs/{id}/cancel',
    summary: 'Cancel the running and waiting jobs of a transfer',
    access: 'user',
    audit: 'transfer.cancel',
    params: TransferParams,
    success: { status: 202, body: TransferView },
    faults: [NO_TRANSFER, { status: 409, codes: ['TRANSFER_SETTLED'] }],
  },
  retryTransfer: {
    method: 'post',
    path: '/transfer/jobs/{id}/retry',
    summary: 'Retry the failed jobs of a transfer',
    access: 'user',
    audit: 'transfer.retry',
    params: TransferParams,
    query: TransferRetryQuery,
    success: { status: 202, body: TransferView },
    faults: [NO_TRANSFER, { status: 409, codes: ['TRANSFER_NOT_RETRYABLE'] }],
  },
  listSchedules: {
    method: 'get',
    path: '/transfer/schedules',
    summary: 'Your schedules, newest first unless sorted; for an administrator, all',
    access: 'user',
    query: SchedulesQuery,
    success: { status: 200, body: z.array(ScheduleView) },
  },
  createSchedule: {
    method: 'post',
    path: '/transfer/schedules',
    summary:
      'Create a schedule: a transfer at the times of a cron expression, with the rights that its owner has at each run',
    access: 'user',
    audit: 'transfer.schedule.create',
    body: NewSchedule,
    success: { status: 201, body: ScheduleView },
    faults: [...ENDS, OF_A_TOKEN, { status: 409, codes: ['SCHEDULES_MANY'] }],
  },
  previewSchedule: {
    method: 'get',
    path: '/transfer/schedules/preview',
    summary: 'The next runs of a schedule with these times',
    access: 'user',
    query: TimesQuery,
    success: { status: 200, body: z.strictObject({ next_runs: z.array(Time) }) },
  },
  getSchedule: {
    method: 'get',
    path: '/transfer/schedules/{id}',
    summary: 'One schedule',
    access: 'user',
    params: TransferParams,
    success: { status: 200, body: ScheduleView },
    faults: [NO_SCHEDULE],
  },
  updateSchedule: {
    method: 'patch',
    path: '/transfer/schedules/{id}',
    summary: 'Change a schedule; absent fields are kept',
    access: 'user',
    audit: 'transfer.schedule.update',
    params: TransferParams,
    body: SchedulePatch,
    success: { status: 200, body: ScheduleView },
    faults: [
      REFUSED,
      OF_A_TOKEN,
      { status: 404, codes: ['SCHEDULE_UNKNOWN', 'REGISTRY_UNKNOWN'] },
      { status: 409, codes: ['OWNER_DISABLED'] },
    ],
  },
  removeSchedule: {
    method: 'delete',
    path: '/transfer/schedules/{id}',
    summary: 'Delete a schedule; its transfers remain',
    access: 'user',
    audit: 'transfer.schedule.delete',
    params: TransferParams,
    success: { status: 204 },
    faults: [NO_SCHEDULE],
  },
  runSchedule: {
    method: 'post',
    path: '/transfer/schedules/{id}/run',
    summary: 'Run a schedule now, unless its last transfer is still running',
    access: 'user',
    audit: 'transfer.schedule.run',
    params: TransferParams,
    success: { status: 202, body: ScheduleView },
    faults: [NO_SCHEDULE, { status: 409, codes: ['SCHEDULE_RUNNING'] }],
  },
} as const satisfies Contract;
