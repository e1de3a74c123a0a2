/**
 * Maps rows of `staging_jobs` to `StagingJob` and back. JSON columns contain what this file wrote,
 * so they are trusted.
 */

import { randomUUID } from 'node:crypto';
import type { JobStatus, Stage, StagingJob, VulnResult } from '@portcullis/domain';
import {
  initialPullMode,
  isSettled,
  NO_PROGRESS,
  queuedSince,
  STATUS_CHANGED,
  storableJson,
} from '@portcullis/domain';
import { requestIdNow } from '@portcullis/runtime';
import { Prisma } from '../database.ts';
import type { StagingJob as Row } from '../generated/client.ts';
import type { NewJob } from './new-job.ts';
import type { JobSummary } from './records.ts';

export const WITH_OWNER = { owner: { select: { username: true } } } as const;
export type FullRow = Row & { owner: { username: string } };
export type SummaryRow = Omit<FullRow, 'findings'>;

/**
 * Columns for raw statements over `staging_jobs AS job` and `users AS owner`: what the generated
 * client would read.
 */
export const JOB_COLUMNS = Prisma.raw(
  [
    ...Object.values(Prisma.StagingJobScalarFieldEnum).map(
      (field) => `job.${columnOf(field)} AS "${field}"`,
    ),
    `owner.username AS "ownerName"`,
  ].join(', '),
);
/** The columns of a `JobRef`. */
export const JOB_REF = Prisma.raw(
  'id::text, status, owner_id::text AS "ownerId", fence, storage_id::text AS "storageId"',
);
export type RawRow = Row & { ownerName: string };

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function fromRaw({ ownerName, ...row }: RawRow): StagingJob {
  return toJob({ ...row, owner: { username: ownerName } });
}

export const QUEUED: readonly JobStatus[] = ['pull_queued', 'scan_queued', 'push_queued'];
export const RUNNING: readonly JobStatus[] = ['pulling', 'scanning', 'pushing'];

export function isRunning(status: JobStatus): boolean {
  return RUNNING.includes(status);
}

/**
 * Findings may be megabytes, and most writes do not change them. A result read from the row is not
 * written back to it: the rules copy a job and never change a result in place.
 */
const unchanged = new WeakMap<VulnResult, string>();

export function toJob({ findings, ...row }: FullRow): StagingJob {
  const summary = toSummary(row);
  if (!summary.vulnResult) return { ...summary, vulnResult: null };
  const vulnResult = {
    ...summary.vulnResult,
    vulnerabilities: asStored<VulnResult['vulnerabilities']>(findings ?? []),
  };
  unchanged.set(vulnResult, row.id);
  return { ...summary, vulnResult };
}

export function toSummary(row: SummaryRow): JobSummary {
  const { owner, workerId: _worker, leaseUntil: _lease, sweptAt: _swept, ...others } = row;
  const { referrersRequired, queuedAt: _queued, ...rest } = others;
  return {
    ...rest,
    ...fromColumns(row),
    withReferrers: referrersRequired ? 'required' : row.withReferrers,
    ownerName: owner.username,
    source: asStored(row.source),
    platforms: asStored(row.platforms ?? 'all'),
    vulnResult: asStored(row.vulnResult),
  };
}

export function storedPushes(column: unknown): StagingJob['pushes'] {
  return asStored<StagingJob['pushes']>(column).map((push) => ({
    ...push,
    createdAt: new Date(push.createdAt),
    finishedAt: push.finishedAt && new Date(push.finishedAt),
  }));
}

function storedTimeline(column: unknown): StagingJob['timeline'] {
  return asStored<StagingJob['timeline']>(column).map((entry) => ({
    ...entry,
    at: new Date(entry.at),
  }));
}

/** The initial row of a job. Credentials have a separate table. */
export function newRow({ sourceCredentials: _, ...job }: NewJob, now: Date) {
  const { platforms = 'all', overrides, pushes = [], source, ...others } = job;
  const { withReferrers = false, destination = null, ...rest } = others;
  return {
    ...rest,
    withReferrers: withReferrers !== false,
    referrersRequired: withReferrers === 'required',
    id: job.id ?? randomUUID(),
    status: 'pull_queued',
    pullMode: initialPullMode({ auto: job.auto ?? false }),
    source: json(source),
    platforms: jsonOrNull(platforms === 'all' ? null : platforms),
    overrides: json(overrides ?? { vulnScanEnabled: null, vulnSeverities: null }),
    destination: jsonOrNull(destination),
    pushes: json(pushes),
    progress: json(NO_PROGRESS),
    timeline: json([{ at: now, status: 'pull_queued', ...STATUS_CHANGED }]),
    requestId: requestIdNow(),
    createdAt: now,
    updatedAt: now,
    queuedAt: now,
  };
}

/** What no write of a whole job changes, or what has a separate rule below. */
type Apart =
  | (
      | 'id'
      | 'ownerId'
      | 'ownerName'
      | 'image'
      | 'source'
      | 'platforms'
      | 'keepIndex'
      | 'transferId'
      | 'createdAt'
    )
  | ('withReferrers' | 'fence' | 'cancelRequested' | 'requestId' | 'vulnResult');
type Field = Exclude<keyof StagingJob, Apart>;

interface JobColumn<Value> {
  /** The database's type. */
  type: string;
  read(stored: unknown): Value;
  write(value: Value): unknown;
}

function plain<F extends Field>(type: string) {
  return { type, read: asStored<StagingJob[F]>, write: (value: StagingJob[F]) => value };
}

function document<F extends Field>(read = asStored<StagingJob[F]>) {
  return { type: 'jsonb', read, write: (value: NonNullable<StagingJob[F]>) => json(value) };
}

/**
 * All columns that a stage or an action may change, as they are read and written. `fence`,
 * `cancelRequested` and the lease have separate rules.
 */
const COLUMNS = {
  status: plain<'status'>('text'),
  tag: plain<'tag'>('text'),
  digest: plain<'digest'>('text'),
  sourceDigest: plain<'sourceDigest'>('text'),
  sightedAt: plain<'sightedAt'>('timestamptz'),
  mediaType: plain<'mediaType'>('text'),
  size: {
    type: 'bigint',
    read: (size: unknown) => (size === null ? null : Number(size)),
    write: (size: number | null) => (size === null ? null : BigInt(size)),
  },
  storageId: plain<'storageId'>('uuid'),
  imageReleasedAt: plain<'imageReleasedAt'>('timestamptz'),
  progress: document<'progress'>(),
  verdict: plain<'verdict'>('text'),
  overrides: document<'overrides'>(),
  auto: plain<'auto'>('boolean'),
  pullMode: plain<'pullMode'>('text'),
  destination: { ...document<'destination'>(), write: jsonOrNull },
  pushes: document<'pushes'>(storedPushes),
  error: { ...document<'error'>(), write: jsonOrNull },
  attempts: plain<'attempts'>('integer'),
  timeline: document<'timeline'>(storedTimeline),
  updatedAt: plain<'updatedAt'>('timestamptz'),
  finishedAt: plain<'finishedAt'>('timestamptz'),
} satisfies { [F in Field]: JobColumn<StagingJob[F]> };

type Written = { [F in Field]: ReturnType<(typeof COLUMNS)[F]['write']> };

const FIELDS = Object.keys(COLUMNS) as Field[];

// The compiler cannot follow the types through `fromEntries`.
function fromColumns(row: Pick<Row, Field>): Pick<StagingJob, Field> {
  const read = FIELDS.map((field) => [field, COLUMNS[field].read(row[field])]);
  return Object.fromEntries(read) as Pick<StagingJob, Field>;
}

export function toColumns(job: StagingJob) {
  const columns: { [F in Field]: { write(value: never): unknown } } = COLUMNS;
  const written = FIELDS.map((field) => [field, columns[field].write(job[field] as never)]);
  return {
    ...(Object.fromEntries(written) as Written),
    queuedAt: queuedSince(job),
    ...vulnColumns(job),
    ...(isRunning(job.status) ? {} : { workerId: null, leaseUntil: null }),
  };
}

type Column = keyof ReturnType<typeof toColumns> | 'cancelRequested';

/** Those of the columns of `assignments` that are not among `COLUMNS`. */
const OTHER_TYPES: Record<Exclude<Column, Field>, string> = {
  queuedAt: 'timestamptz',
  vulnResult: 'jsonb',
  findings: 'jsonb',
  workerId: 'text',
  leaseUntil: 'timestamptz',
  cancelRequested: 'boolean',
};

function typeOf(column: Column): string {
  return column in COLUMNS
    ? COLUMNS[column as Field].type
    : OTHER_TYPES[column as keyof typeof OTHER_TYPES];
}

/** Columns with their values for the SET clause of a raw UPDATE of `staging_jobs`. */
export function assignments(columns: Partial<Record<Column, unknown>>): Prisma.Sql {
  const each = Object.entries(columns).map(([field, value]) => {
    const type = typeOf(field as Column);
    return Prisma.sql`${Prisma.raw(columnOf(field))} = ${parameter(value, type)}::${Prisma.raw(type)}`;
  });
  return Prisma.join(each);
}

function parameter(value: unknown, type: string): unknown {
  if (value === null || value === Prisma.DbNull) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
}

function vulnColumns({ id, vulnResult }: StagingJob) {
  if (vulnResult === null) return { vulnResult: Prisma.DbNull, findings: Prisma.DbNull };
  if (unchanged.get(vulnResult) === id) return {};
  const { vulnerabilities, ...rest } = vulnResult;
  return { vulnResult: json(rest), findings: json(vulnerabilities) };
}

/**
 * A changed status fences out the worker that holds the row, and belongs to the request that
 * changed it.
 */
export function setGoing(
  before: StagingJob,
  after: StagingJob,
): Pick<StagingJob, 'fence' | 'requestId'> {
  const { fence, requestId } = before;
  if (after.status === before.status) return { fence, requestId };
  return { fence: fence + 1, requestId: requestIdNow() ?? requestId };
}

/** A concurrent request to cancel must not be overwritten by the worker's outcome. */
export function keepsCancelRequest(job: StagingJob): boolean {
  return !isSettled(job.status);
}

export const QUEUED_AT: Record<Stage, JobStatus> = {
  pull: 'pull_queued',
  scan: 'scan_queued',
  push: 'push_queued',
};
export const RUNNING_AT: Record<Stage, JobStatus> = {
  pull: 'pulling',
  scan: 'scanning',
  push: 'pushing',
};

/**
 * Text of images and of other systems may have characters that no column takes, which must not keep
 * the rest from being stored. Dates become RFC 3339 text here; `toSummary` converts them back.
 */
export function json(value: NonNullable<unknown>): Prisma.InputJsonValue {
  return JSON.parse(storableJson(value));
}

function jsonOrNull(
  value: NonNullable<unknown> | null,
): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : json(value);
}

function asStored<T>(value: unknown): T {
  return value as T;
}
