/** The staging use-cases: check, write the row, dispatch its id. Nothing here moves a byte. */
import { randomUUID } from 'node:crypto';
import {
  acceptsPush,
  applyPolicy,
  assertAllowed,
  type Decision,
  type GateQuestion,
  gate,
  isSettled,
  type Principal,
  type Push,
  queuedPush,
  requestPush,
  retry,
  type ScanPolicy,
  type StagingJob,
} from '@portcullis/domain';
import { conflict, isAppError, notFound } from '@portcullis/errors';
import type { ProgressMessage } from '@portcullis/events';
import type { Queues } from '@portcullis/queue';
import type { OwnHosts, RegistryAccess } from '@portcullis/registry-access';
import type { Logger } from '@portcullis/runtime';
import type {
  Credentials,
  IdempotentWrites,
  JobFilter,
  JobSummary,
  Page,
  Store,
} from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import type { AccessRight, AccessRights } from '../../identity/rights.ts';
import { destinationOf, type PushOrder, type ResolvedDestination } from './destination.ts';
import { assertMayOverride } from './overrides.ts';
import type { AssertJobs } from './quota.ts';
import { type PullOrder, resolveSource } from './source.ts';

export interface StagingPorts {
  store: Pick<Store, 'jobs' | 'folders'>;
  queues: Pick<Queues, 'dispatch' | 'cancel' | 'enqueue'>;
  rights: AccessRights;
  locate: RegistryAccess['locate'];
  ownHosts: OwnHosts;
  policy(): Promise<ScanPolicy>;
  /** When the advisories were gathered that a scan would go by now; null where none can be made. */
  scanDatabase(): Promise<string | null>;
  publicHost(): string;
  assertJobs: AssertJobs;
  announce(message: ProgressMessage): Promise<void>;
  log: Pick<Logger, 'warn'>;
}

type JobRow = Pick<StagingJob, 'id' | 'ownerId' | 'status'>;

export type Idempotency = {
  key: string;
  bodyHash: string;
  /** Called before the commit when the answer is that of an earlier request with the key. */
  replayed(): void;
} | null;

/** What a request for a pull brings along. */
export type AskedPull = Pick<ApiCall, 'idempotency' | 'about'>;

/**
 * What a request for a push brings along; its audit event says where it would have gone, also when
 * it is denied.
 */
export type AskedPush = Pick<ApiCall, 'idempotency' | 'about' | 'note'>;

export interface PreviewedPush {
  destination: ResolvedDestination;
  decision: Decision;
}

export function createStagingService(ports: StagingPorts) {
  const { store, queues, rights } = ports;
  const { locate, ownHosts, publicHost } = ports;
  const resolution = { locate, ownHosts, publicHost, folders: store.folders };

  async function requestPull(
    principal: Principal,
    order: PullOrder,
    { idempotency, about }: AskedPull,
  ): Promise<StagingJob> {
    const { source, image, credentials, right } = await resolveSource(order, principal, resolution);
    await rights.assert(principal, right);
    assertMayOverride(await ports.policy(), order.overrides, principal);
    return once(principal, idempotency, async ({ jobs }) => {
      await ports.assertJobs(principal, 1, jobs);
      const { tag, platforms, overrides } = order;
      const job = await jobs.insert({
        ownerId: principal.id,
        image,
        tag,
        source,
        platforms,
        overrides,
        sourceCredentials: credentials,
      });
      // Before the commit: the event that comes along names the job, even if this process dies
      // right after it.
      about({ kind: 'staging_job', id: job.id, name: `${image}:${tag}` });
      return job;
    });
  }

  /**
   * The order of the questions: may they see it, may they write there, is it ready, does the gate
   * let it.
   */
  async function requestPushOf(
    principal: Principal,
    jobId: string,
    order: PushOrder & { password: string | null },
    { idempotency, about, note }: AskedPush,
  ): Promise<StagingJob> {
    const before = await visibleJob(principal, jobId);
    about({ kind: 'staging_job', id: jobId, name: `${before.image}:${before.tag}` });
    const destination = await destinationOf(order, principal, resolution);
    note(factsOf(destination));
    await rights.assert(principal, rightTo(destination));
    const gateway = await gateFor(principal);
    await follow(before, gateway);
    return once(principal, idempotency, async ({ jobs }) => {
      const push = queuedPush(destination, {
        by: principal,
        pushId: randomUUID(),
        now: new Date(),
      });
      const job = await jobs.update(jobId, (row) => pushed(row, push, gateway));
      const credentials = credentialsOf(destination, order);
      if (credentials) await jobs.setPushCredentials(jobId, push.id, credentials);
      return job;
    });
  }

  async function gateFor(principal: Principal): Promise<GateFor> {
    const [policy, database] = await Promise.all([ports.policy(), ports.scanDatabase()]);
    return { principal, policy, database, now: new Date() };
  }

  /** A policy that changed since the scan shows in the row, also where it refuses the push. */
  async function follow(job: StagingJob, { policy, now }: GateFor): Promise<void> {
    const followed = (row: StagingJob) => (acceptsPush(row) ? applyPolicy(row, policy, now) : row);
    if (followed(job) === job) return;
    const row = await store.jobs.update(job.id, (present) => {
      const next = followed(present);
      return next === present ? null : next;
    });
    await announce(row);
  }

  async function previewPush(
    principal: Principal,
    jobId: string,
    order: PushOrder,
  ): Promise<PreviewedPush> {
    const job = await visibleJob(principal, jobId);
    const destination = await destinationOf(order, principal, resolution);
    const access = await rights.decide(principal, rightTo(destination));
    if (!access.allowed) return { destination, decision: access };
    return { destination, decision: gate({ job, ...(await gateFor(principal)) }) };
  }

  async function listJobs(principal: Principal, filter: JobFilter): Promise<Page<JobSummary>> {
    return store.jobs.list(principal.isAdmin ? filter : { ...filter, ownerId: principal.id });
  }

  /**
   * @throws not_found also for a job of somebody else's: that it exists is none of the caller's
   * business
   */
  async function visibleJob(principal: Principal, id: string): Promise<StagingJob> {
    const job = await store.jobs.find(id);
    if (!job || (job.ownerId !== principal.id && !principal.isAdmin)) throw jobUnknown();
    return job;
  }

  async function cancelJob(principal: Principal, id: string): Promise<StagingJob> {
    const before = await visibleJob(principal, id);
    if (isSettled(before.status))
      throw conflict('JOB_SETTLED', 'Nothing of this job runs or waits.');
    const job = await store.jobs.requestCancel(id);
    await announced(job, queues.cancel(id));
    return job;
  }

  async function retryJob(principal: Principal, id: string): Promise<StagingJob> {
    await visibleJob(principal, id);
    const job = await store.jobs.update(id, (row) => {
      const again = retry(row, principal, new Date());
      if (!again) throw conflict('JOB_NOT_RETRYABLE', 'This job has nothing to run again.');
      return again;
    });
    await setOff(job);
    return job;
  }

  /** The job as it was. */
  async function removeJob(principal: Principal, id: string): Promise<JobSummary> {
    const job = await visibleJob(principal, id);
    await discard(job);
    return job;
  }

  async function discard(job: JobSummary): Promise<void> {
    const { id } = job;
    if (!isSettled(job.status)) await store.jobs.requestCancel(id);
    await bestEffort(queues.cancel(id));
    await store.jobs.remove(id);
    // A worker that still runs a stage finds the row gone and discards what it wrote, too.
    await announced(
      job,
      queues.enqueue({ name: 'discard', jobId: id }, { storageId: job.storageId }),
    );
  }

  /** Discards all jobs of a deleted account. */
  async function discardJobsOf(ownerId: string): Promise<number> {
    let count = 0;
    for (;;) {
      const { items } = await store.jobs.list({ ownerId, limit: 200 });
      if (items.length === 0) return count;
      for (const job of items) await discard(job);
      count += items.length;
    }
  }

  /**
   * With an `Idempotency-Key`, the job the first request with it was about. Dispatched once it is
   * committed.
   */
  async function once(
    principal: Principal,
    idempotency: Idempotency,
    write: (rows: IdempotentWrites) => Promise<StagingJob>,
  ): Promise<StagingJob> {
    const key = idempotency && { ...idempotency, userId: principal.id };
    const { ids, replayed } = await store.jobs.idempotency(key, async (rows) => [
      (await write(rows)).id,
    ]);
    const job = await store.jobs.find(ids[0] ?? '');
    if (!job) throw jobUnknown();
    if (!replayed) await setOff(job);
    return job;
  }

  async function setOff(job: StagingJob): Promise<void> {
    await announced(job, queues.dispatch(job));
  }

  async function announced(job: JobRow, work: Promise<void>): Promise<void> {
    await bestEffort(work);
    await announce(job);
  }

  async function announce(job: JobRow): Promise<void> {
    await bestEffort(
      ports.announce({
        jobId: job.id,
        ownerId: job.ownerId,
        kind: 'job',
        data: { job_id: job.id, status: job.status },
      }),
    );
  }

  /** The row is committed. Failures are safe: the sweeper re-enqueues from the database. */
  async function bestEffort(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isAppError(error)) throw error;
      ports.log.warn({ err: error }, 'the queue was not told; the sweeper will');
    }
  }

  return {
    requestPull,
    requestPush: requestPushOf,
    previewPush,
    listJobs,
    visibleJob,
    cancelJob,
    retryJob,
    removeJob,
    discardJobsOf,
  };
}
export type StagingService = ReturnType<typeof createStagingService>;

function factsOf({
  host,
  repository,
  tag,
  registryId,
  folder,
}: ResolvedDestination): Record<string, unknown> {
  return { destination: `${host}/${repository}:${tag}`, registry: registryId, host, folder };
}

function rightTo({ kind, repository }: ResolvedDestination): AccessRight {
  return kind === 'local' ? { action: 'push', repository } : { action: 'push_external' };
}

/** The gate question without the job. */
type GateFor = Omit<GateQuestion, 'job'>;

/**
 * Evaluated under the row's lock, so that of two concurrent pushes only one finds the job ready.
 */
function pushed(job: StagingJob, push: Push, gateway: GateFor): StagingJob {
  if (!acceptsPush(job))
    throw conflict('JOB_NOT_READY', `A job that is ${job.status} can't be pushed.`, {
      detail: { status: job.status },
    });
  assertAllowed(gate({ job, ...gateway }));
  return requestPush(applyPolicy(job, gateway.policy, gateway.now), push, gateway.now);
}

/** Only a host named for this push brings its own; a saved registry's stay where they are. */
function credentialsOf(
  { kind }: ResolvedDestination,
  { username, password }: PushOrder & { password: string | null },
): Credentials | null {
  return kind === 'host' && username !== null && password !== null ? { username, password } : null;
}

function jobUnknown() {
  return notFound('JOB_UNKNOWN', 'There is no staging job with this id.');
}
