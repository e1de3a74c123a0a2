/**
 * A transfer: a batch of staging jobs with automatic pushes. Its status is computed from its jobs.
 */

import type { WriteOperation } from '../access/access.ts';
import type { JobStatus } from '../job/job-status.ts';
import { JOB_STATUSES } from '../job/job-status.ts';
import type { JobSource, Push, ReferrerChoice, StagingJob } from '../job/staging-job.ts';
import { isSettled } from '../job/staging-job.ts';
import { LOCAL_REGISTRY_ID } from '../location/location.ts';
import type { BypassOrder } from '../policy/bypass.ts';
import type { ScanOverrides } from '../policy/vulnerability.ts';
import type { TagSelection } from './tag-selection.ts';

/**
 * The requested transfer with resolved source and destination: what is checked is what jobs write.
 */
export interface TransferOrder {
  source: JobSource;
  destination: Pick<Push, 'kind' | 'registryId' | 'host'>;
  entries: TransferEntry[];
  platforms: 'all' | string[];
  overrides: ScanOverrides;
  withReferrers: ReferrerChoice;
  bypass: BypassOrder;
}

export interface TransferEntry {
  /** Repository at the source. */
  image: string;
  /** Repository at the destination. */
  repository: string;
  /** A tag or digest, or a pattern that a worker expands into jobs. */
  tags: { tag: string } | TagSelection;
  /** Null: each tag keeps its name. */
  targetTag: string | null;
}

export const SELECTION_STATES = ['queued', 'done', 'failed', 'cancelled'] as const;
export type SelectionState = (typeof SELECTION_STATES)[number];

export const TRANSFER_STATUSES = [
  'running',
  'done',
  'partly_failed',
  'failed',
  'cancelled',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export type JobCounts = Partial<Record<JobStatus, number>>;

/** `selections`: states of the patterns; a failed one counts as a failed job. */
export function transferStatus(
  counts: JobCounts,
  selections: readonly SelectionState[],
): TransferStatus {
  const states = Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [status] : []));
  const has = (status: JobStatus) => states.includes(status);
  if (selections.includes('queued') || isOpen(counts)) return 'running';
  if (has('failed') || selections.includes('failed'))
    return has('pushed') || selections.includes('done') ? 'partly_failed' : 'failed';
  return has('cancelled') || selections.includes('cancelled') ? 'cancelled' : 'done';
}

function isOpen(counts: JobCounts): boolean {
  return OPEN_STATUSES.some((status) => (counts[status] ?? 0) > 0);
}

/** The failed jobs that a retry repeats: those that the gate stopped, the others, or both. */
export const RETRIED_JOBS = ['all', 'failed', 'blocked'] as const;
export type RetriedJobs = (typeof RETRIED_JOBS)[number];

/** Statuses of jobs that are not settled. */
export const OPEN_STATUSES: readonly JobStatus[] = JOB_STATUSES.filter(
  (status) => !isSettled(status),
);

export function isSelection(tags: TransferEntry['tags']): tags is TagSelection {
  return 'match' in tags;
}

/** The fields of a staging job that the transfer determines. */
export type TransferJob = Pick<
  StagingJob,
  'ownerId' | 'image' | 'tag' | 'source' | 'platforms' | 'overrides' | 'auto' | 'withReferrers'
> & { pushes: Push[] };

/** An access question without the folders, which only the store knows. */
export type RequiredAccess =
  | { action: 'pull' | 'push'; operation?: WriteOperation; repository: string }
  | { action: 'pull_external' | 'push_external' };

/** The rights that the entries need, each with the positions of its entries. */
export function transferRights({
  source,
  destination,
  entries,
}: TransferOrder): Map<RequiredAccess, number[]> {
  const rights = new Map<string, { right: RequiredAccess; positions: number[] }>();
  for (const [position, { image, repository }] of entries.entries()) {
    for (const right of [rightToRead(source, image), rightToWrite(destination, repository)]) {
      const key = JSON.stringify(right);
      const known = rights.get(key) ?? { right, positions: [] };
      known.positions.push(position);
      rights.set(key, known);
    }
  }
  return new Map([...rights.values()].map(({ right, positions }) => [right, positions]));
}

function rightToRead({ registryId }: JobSource, repository: string): RequiredAccess {
  return registryId === LOCAL_REGISTRY_ID
    ? { action: 'pull', repository }
    : { action: 'pull_external' };
}

function rightToWrite({ kind }: TransferOrder['destination'], repository: string): RequiredAccess {
  return kind === 'local' ? { action: 'push', repository } : { action: 'push_external' };
}

export interface JobAuthor {
  id: string;
  username: string;
}

export function transferJob(
  order: TransferOrder,
  { entry, tag }: { entry: TransferEntry; tag: string },
  { by, pushId, now }: { by: JobAuthor; pushId: string; now: Date },
): TransferJob {
  const { source, platforms, overrides, withReferrers, bypass } = order;
  const destination = {
    ...order.destination,
    repository: entry.repository,
    tag: entry.targetTag ?? tag,
  };
  return {
    ownerId: by.id,
    image: entry.image,
    tag,
    source,
    platforms,
    overrides,
    auto: true,
    withReferrers,
    pushes: [queuedPush(destination, { by, pushId, now, bypass })],
  };
}

export function queuedPush(
  destination: Pick<Push, 'kind' | 'registryId' | 'host' | 'repository' | 'tag'>,
  { by, pushId, now, bypass }: { by: JobAuthor; pushId: string; now: Date; bypass: BypassOrder },
): Push {
  const { kind, registryId, host, repository, tag } = destination;
  return {
    id: pushId,
    status: 'queued',
    kind,
    registryId,
    host,
    repository,
    tag,
    digest: null,
    bytesDone: 0,
    bytesTotal: 0,
    bytesMounted: 0,
    error: null,
    bypass,
    requestedById: by.id,
    requestedBy: by.username,
    createdAt: now,
    finishedAt: null,
  };
}
