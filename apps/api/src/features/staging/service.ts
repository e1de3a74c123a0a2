/** The staging use cases: check, write the row, enqueue the job. No image bytes pass here. */
import { randomUUID } from 'node:crypto';
import {
  acceptsPush,
  aimedAt,
  applyPolicy,
  type BypassOrder,
  bypassOf,
  type Decision,
  isSettled,
  type JobDestination,
  mayReadJobsOf,
  mayUseJobsOf,
  type Principal,
  type Push,
  queuedPush,
  refusedFolder,
  requestPush,
  retry,
  type ScanPolicy,
  type StagingJob,
  USUAL_BYPASS,
} from '@portcullis/domain';
import { type AppError, conflict, isAppError, notFound } from '@portcullis/errors';
import type { ProgressMessage } from '@portcullis/events';
import {
  type AgeFixes,
  assertPushed,
  type FolderQuotas,
  type ImmutableTags,
  type JudgedPush,
  type OpenPushGate,
  type PushGate,
} from '@portcullis/gate';
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
import type { AccessRights } from '../../identity/rights.ts';
import {
  destinationOf,
  keptDestination,
  type PushOrder,
  type ResolvedDestination,
  rightTo,
} from './destination.ts';
import { assertMayOverride } from './overrides.ts';
import type { AssertJobs } from './quota.ts';
import { type PullOrder, resolveSource } from './source.ts';
import type { AssertSource } from './source-gate.ts';

export interface StagingPorts {
  store: Pick<Store, 'jobs' | 'folders'>;
  queues: Pick<Queues, 'dispatch' | 'cancel' | 'enqueue'>;
  rights: AccessRights;
  locate: RegistryAccess['locate'];
  ownHosts: OwnHosts;
  policy(): Promise<ScanPolicy>;
  assertSource: AssertSource;
  gates: {
    pushGate: PushGate;
    ageFixes: AgeFixes;
    immutableTags: Pick<ImmutableTags, 'assertMoves'>;
    folderQuotas: Pick<FolderQuotas, 'assertRoom'>;
  };
  publicHost(): string;
  assertJobs: AssertJobs;
  announce(message: ProgressMessage): Promise<void>;
  log: Pick<Logger, 'warn'>;
}

type JobRow = Pick<StagingJob, 'id' | 'ownerId' | 'status'>;

export type Idempotency = {
  key: string;
  bodyHash: string;
  /** Called before the commit if an earlier request used the same key. */
  replayed(): void;
} | null;

export type AskedPull = Pick<ApiCall, 'idempotency' | 'about' | 'note'>;

/** The audit event names the destination, also for a denial. */
export type AskedPush = Pick<ApiCall, 'idempotency' | 'about' | 'note'>;

const DESTINATION_REFUSALS = ['TAG_IMMUTABLE', 'QUOTA_EXCEEDED'] as const;
type DestinationRefusal = (typeof DESTINATION_REFUSALS)[number];

export interface PreviewedPush {
  destination: ResolvedDestination;
  decision: Decision | { allowed: false; code: DestinationRefusal; reason: string };
  /** The code that would refuse it without the privilege to push blocked images. */
  bypassed: string | null;
  /** By the policy of the destination; null where the caller may not write to it. */
  explanation: JudgedPush['explanation'] | null;
}

export function createStagingService(ports: StagingPorts) {
  const { store, queues, rights } = ports;
  const { locate, ownHosts, publicHost } = ports;
  const resolution = { locate, ownHosts, publicHost, folders: store.folders };

  async function requestPull(
    principal: Principal,
    order: PullOrder,
    { idempotency, about, note }: AskedPull,
  ): Promise<StagingJob> {
    const { source, image, credentials, right } = await resolveSource(order, principal, resolution);
    await rights.assert(principal, right);
    const decision = await ports.assertSource(principal, { source, image, tag: order.tag });
    if (decision) note({ decision });
    assertMayOverride(await ports.policy(), order.overrides, principal);
    const destination = await chosenDestination(principal, order.destination);
    if (destination) note(factsOf(destination));
    return once(principal, idempotency, async ({ jobs }) => {
      await ports.assertJobs(principal, 1, jobs);
      const { tag, platforms, withReferrers, overrides } = order;
      const job = await jobs.insert({
        ownerId: principal.id,
        image,
        tag,
        source,
        platforms,
        withReferrers,
        destination: destination && keptDestination(destination),
        overrides,
        sourceCredentials: credentials,
      });
      // Before the commit, so that the event names the job even if this process dies after it.
      about({ kind: 'staging_job', id: job.id, name: `${image}:${tag}` });
      return job;
    });
  }

  /** What may not be written to is refused as the push would be. */
  async function chosenDestination(
    principal: Principal,
    order: PushOrder | null,
  ): Promise<ResolvedDestination | null> {
    if (order === null) return null;
    const destination = await destinationOf(order, principal, resolution);
    await rights.assert(principal, rightTo(destination));
    return destination;
  }

  /**
   * Checks in this order: may the caller read the job, may it write to the destination, is the job
   * ready, does the gate pass.
   */
  async function requestPushOf(
    principal: Principal,
    jobId: string,
    asked: PushOrder & { password: string | null; bypass: BypassOrder },
    { idempotency, about, note }: AskedPush,
  ): Promise<StagingJob> {
    const order = { ...asked, bypass: bypassOf(principal, asked.bypass) };
    const before = await visibleJob(principal, jobId, mayUseJobsOf);
    about({ kind: 'staging_job', id: jobId, name: `${before.image}:${before.tag}` });
    const destination = await destinationOf(order, principal, resolution);
    note(factsOf(destination));
    await rights.assert(principal, rightTo(destination));
    await noteFixes(before, destination, principal);
    const gate = await gateOf(before, destination, principal, order.bypass);
    const { bypassed, explanation } = gate.judge(before);
    note({ decision: explanation });
    if (bypassed !== null) note({ bypassed, reason: order.bypass.reason });
    const refused = await destinationRefusal(before, destination);
    if (refused) throw refused.error;
    try {
      return await once(principal, idempotency, async ({ jobs }) => {
        const push = queuedPush(destination, {
          by: principal,
          pushId: randomUUID(),
          now: new Date(),
          bypass: order.bypass,
        });
        const job = await jobs.update(jobId, (row) => withPush(row, push, gate));
        const credentials = credentialsOf(destination, order);
        if (credentials) await jobs.setPushCredentials(jobId, push.id, credentials);
        return job;
      });
    } catch (error) {
      // Not before: an earlier write would commit the event of a push that is not requested yet.
      if (isAppError(error) && error.kind !== 'unavailable') await follow(before, gate);
      throw error;
    }
  }

  /** An image that fixes what the one before has may pass before it is old enough. */
  async function noteFixes(
    { digest }: StagingJob,
    { repository, tag, folder }: ResolvedDestination,
    { id: byId }: Principal,
  ): Promise<void> {
    if (digest !== null && folder !== null)
      await ports.gates.ageFixes.note({ image: { digest, repository, folder }, tag, byId });
  }

  function gateOf(
    { digest }: StagingJob,
    { registryId, repository, folder }: ResolvedDestination,
    account: Principal,
    bypass: BypassOrder,
  ): Promise<OpenPushGate> {
    const target = { registryId, repository, folder };
    return ports.gates.pushGate.open({ target, account, bypass, digests: [digest] });
  }

  /** A change of the settings since the scan updates the row, even if the push is refused. */
  async function follow(job: StagingJob, { settings, at }: OpenPushGate): Promise<void> {
    const applyChange = (row: StagingJob) =>
      acceptsPush(row) ? applyPolicy(row, settings, at) : row;
    if (applyChange(job) === job) return;
    const row = await store.jobs.update(job.id, (present) => {
      const next = applyChange(present);
      return next === present ? null : next;
    });
    await announce(row);
  }

  async function previewPush(
    principal: Principal,
    jobId: string,
    order: PushOrder,
  ): Promise<PreviewedPush> {
    const job = await visibleJob(principal, jobId, mayUseJobsOf);
    const destination = await destinationOf(order, principal, resolution);
    const access = await rights.decide(principal, rightTo(destination));
    if (!access.allowed)
      return {
        destination: refusedTo(destination),
        ...{ decision: access, bypassed: null, explanation: null },
      };
    const gate = await gateOf(job, destination, principal, USUAL_BYPASS);
    const judged = gate.judge(job);
    const refused = judged.decision.allowed ? await destinationRefusal(job, destination) : null;
    if (!refused) return { destination, ...judged };
    const { code, error } = refused;
    return { destination, ...judged, decision: { allowed: false, code, reason: error.message } };
  }

  /** Where the registry does not answer, the worker decides; also whether a quota suffices. */
  async function destinationRefusal(
    { digest }: StagingJob,
    { kind, repository, tag }: ResolvedDestination,
  ): Promise<{ code: DestinationRefusal; error: AppError } | null> {
    if (kind !== 'local' || digest === null) return null;
    try {
      await ports.gates.immutableTags.assertMoves(repository, { tag, digest });
      await ports.gates.folderQuotas.assertRoom(repository, digest);
      return null;
    } catch (error) {
      if (!isAppError(error)) throw error;
      const code = DESTINATION_REFUSALS.find((each) => each === error.code);
      return code === undefined ? null : { code, error };
    }
  }

  async function listJobs(
    principal: Principal,
    filter: JobFilter,
  ): Promise<Omit<Page<JobSummary>, 'total'> & { total: number | null }> {
    const page = await store.jobs.list(
      principal.isAdmin ? filter : { ...filter, ownerId: principal.id },
    );
    if (principal.tokenActions === undefined) return page;
    const names = new Set(await store.folders.names());
    const items = page.items.filter((job) => mayReadJobsOf(principal, sourceOf(job), names));
    // The number of all would count what the token does not reach.
    return { ...page, items, total: null };
  }

  /**
   * @param reaches what a limited token reaches of its account's jobs
   * @throws not_found also for jobs of other accounts, so that their existence is not revealed
   */
  async function visibleJob(
    principal: Principal,
    id: string,
    reaches = mayReadJobsOf,
  ): Promise<StagingJob> {
    const job = await store.jobs.find(id);
    if (!job || (job.ownerId !== principal.id && !principal.isAdmin)) throw jobUnknown();
    if (principal.tokenActions === undefined) return job;
    if (reaches(principal, sourceOf(job), new Set(await store.folders.names()))) return job;
    throw jobUnknown();
  }

  async function cancelJob(principal: Principal, id: string): Promise<StagingJob> {
    const before = await visibleJob(principal, id);
    if (isSettled(before.status))
      throw conflict('JOB_SETTLED', 'Nothing of this job runs or waits.');
    const job = await store.jobs.requestCancel(id);
    await announceAfter(job, queues.cancel(id));
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

  /** Returns the deleted job. */
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
    // A worker that runs a stage finds that the row is gone, and discards what it wrote.
    await announceAfter(
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

  /** With an `Idempotency-Key`, returns the job of the first request. Enqueues after the commit. */
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
    await announceAfter(job, queues.dispatch(job));
  }

  /**
   * A job of that account without a destination is for this one from now on. What was asked for
   * stands without it, so a fault or a job that is gone changes nothing.
   */
  async function aim(jobId: string, ownerId: string, destination: JobDestination): Promise<void> {
    try {
      await announce(await store.jobs.update(jobId, (job) => aimedAt(job, ownerId, destination)));
    } catch (error) {
      if (!isAppError(error)) throw error;
      ports.log.warn({ err: error, jobId }, 'a job was not given the destination of its review');
    }
  }

  async function announceAfter(job: JobRow, work: Promise<void>): Promise<void> {
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

  /** Runs after the commit. Failures are safe: the sweeper enqueues again from the database. */
  async function bestEffort(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isAppError(error)) throw error;
      ports.log.warn(
        { err: error },
        'could not enqueue; the sweeper will enqueue the job from the database',
      );
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
    aim,
    discardJobsOf,
  };
}
export type StagingService = ReturnType<typeof createStagingService>;

function sourceOf({ source, image }: Pick<StagingJob, 'source' | 'image'>) {
  return { registryId: source.registryId, repository: image };
}

function factsOf({
  host,
  repository,
  tag,
  registryId,
  folder,
}: ResolvedDestination): Record<string, unknown> {
  return { destination: `${host}/${repository}:${tag}`, registry: registryId, host, folder };
}

/** What is shown of it tells no more than the refusal. */
function refusedTo(destination: ResolvedDestination): ResolvedDestination {
  if (destination.kind !== 'local') return destination;
  return { ...destination, folder: refusedFolder(destination.repository) };
}

/**
 * Evaluated under the row's lock, so that of two concurrent pushes only one finds the job ready.
 */
function withPush(job: StagingJob, push: Push, { judge, settings, at }: OpenPushGate): StagingJob {
  if (!acceptsPush(job))
    throw conflict('JOB_NOT_READY', `A job that is ${job.status} can't be pushed.`, {
      detail: { status: job.status },
    });
  assertPushed(judge(job));
  return requestPush(applyPolicy(job, settings, at), push, at);
}

/**
 * Only credentials of an ad-hoc host are stored with the push; those of a saved registry stay
 * there.
 */
function credentialsOf(
  { kind }: ResolvedDestination,
  { username, password }: PushOrder & { password: string | null },
): Credentials | null {
  return kind === 'host' && username !== null && password !== null ? { username, password } : null;
}

function jobUnknown() {
  return notFound('JOB_UNKNOWN', 'There is no staging job with this id.');
}
