/**
 * One action on many jobs: some hundred in a transaction with their audit events, then their queue
 * entries. What was done before an outage stays done, and the answer counts it.
 */
import type { BulkAction } from '@portcullis/contract';
import { MOST_BULK_JOBS } from '@portcullis/contract';
import { advance, isSettled, type Principal, retry, type StagingJob } from '@portcullis/domain';
import { invalid, isAppError } from '@portcullis/errors';
import type { ProgressMessage } from '@portcullis/events';
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { BulkOptions, JobConditions, JobRef, Store } from '@portcullis/store';
import { createTally, type Tally, type TallyCounts } from '../../../http/bulk/tally.ts';
import { createDispatcher } from '../../transfers/dispatcher.ts';

export interface BulkPorts {
  store: { jobs: Pick<Store['jobs'], 'matchingIds' | 'changeMany' | 'removeMany'> };
  queues: Pick<Queues, 'dispatch' | 'cancel' | 'enqueue'>;
  announce(message: ProgressMessage): Promise<void>;
  log: Pick<Logger, 'warn'>;
}

export interface BulkOrder {
  action: BulkAction;
  /** Ids, or what the jobs have in common. */
  jobs: { ids: readonly string[] } | { conditions: JobConditions };
}

const BATCH = 250;

export function createBulkJobs({ store, queues, announce, log }: BulkPorts) {
  const { dispatchAll, bestEffort } = createDispatcher({ queues, log });
  const acts = { delete: removeJobs, cancel: cancelJobs, retry: retryJobs };

  /** @param event the audit event of a job */
  async function run(
    principal: Principal,
    { action, jobs }: BulkOrder,
    event: BulkOptions['event'],
  ): Promise<TallyCounts> {
    const ownerId = principal.isAdmin ? null : principal.id;
    const ids = 'ids' in jobs ? [...new Set(jobs.ids)] : await matching(ownerId, jobs.conditions);
    const tally = createTally();
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      try {
        await acts[action](batch, { principal, options: { ownerId, event }, tally });
      } catch (error) {
        // Nothing is done yet: the request fails as a whole.
        if (!isAppError(error) || from === 0) throw error;
        tally.fail(error.code, ids.slice(from));
        break;
      }
    }
    return tally.counts();
  }

  async function matching(ownerId: string | null, given: JobConditions): Promise<string[]> {
    const conditions = ownerId === null ? given : { ...given, ownerId };
    const ids = await store.jobs.matchingIds(conditions, MOST_BULK_JOBS + 1);
    if (ids.length > MOST_BULK_JOBS)
      throw invalid('SELECTION_TOO_LARGE', `More than ${MOST_BULK_JOBS} jobs match.`);
    return ids;
  }

  async function removeJobs(ids: string[], { options, tally }: Act): Promise<void> {
    const jobs = await store.jobs.removeMany(ids, options);
    tally.done(jobs.length);
    tally.refuse('JOB_UNKNOWN', without(ids, jobs.map(idOf)));
    await each(jobs, async ({ id, status, storageId }) => {
      if (!isSettled(status)) await queues.cancel(id);
      await queues.enqueue({ name: 'discard', jobId: id }, { storageId });
    });
    await publish(jobs);
  }

  async function cancelJobs(ids: string[], { options, tally }: Act): Promise<void> {
    const jobs = await changeJobs(ids, { options, tally, change: cancelOf, code: 'JOB_SETTLED' });
    await each(jobs, ({ id }) => queues.cancel(id));
    await publish(jobs);
  }

  async function retryJobs(ids: string[], { principal, options, tally }: Act): Promise<void> {
    const change = (job: StagingJob) => retry(job, principal, new Date());
    const jobs = await changeJobs(ids, { options, tally, change, code: 'JOB_NOT_RETRYABLE' });
    await dispatchAll(jobs);
    await publish(jobs);
  }

  async function changeJobs(
    ids: string[],
    { options, tally, change, code }: Change,
  ): Promise<JobRef[]> {
    const result = await store.jobs.changeMany(ids, { ...options, change });
    tally.done(result.changed.length);
    tally.refuse(code, result.unchanged);
    tally.refuse('JOB_UNKNOWN', without(ids, [...result.changed.map(idOf), ...result.unchanged]));
    return result.changed;
  }

  function publish(jobs: readonly JobRef[]): Promise<void> {
    return each(jobs, ({ id, ownerId, status }) =>
      announce({ jobId: id, ownerId, kind: 'job', data: { job_id: id, status } }),
    );
  }

  /** In parallel over one connection. Failures are safe: the sweeper reads the database. */
  function each(jobs: readonly JobRef[], work: (job: JobRef) => Promise<void>): Promise<void> {
    return bestEffort(() => Promise.all(jobs.map(work)));
  }

  return { run };
}
export type BulkJobs = ReturnType<typeof createBulkJobs>;

interface Act {
  principal: Principal;
  options: BulkOptions;
  tally: Tally;
}

interface Change extends Omit<Act, 'principal'> {
  change(job: StagingJob): StagingJob | null;
  /** Of jobs that do not change. */
  code: string;
}

const RUNNING: ReadonlySet<StagingJob['status']> = new Set(['pulling', 'scanning', 'pushing']);

/** A running job is cancelled by its worker. */
function cancelOf(job: StagingJob): StagingJob | null {
  if (isSettled(job.status)) return null;
  return RUNNING.has(job.status)
    ? { ...job, cancelRequested: true }
    : advance(job, { kind: 'cancelled' }, new Date());
}

function idOf({ id }: JobRef): string {
  return id;
}

function without(ids: readonly string[], known: readonly string[]): string[] {
  const found = new Set(known);
  return ids.filter((id) => !found.has(id));
}
