/**
 * The transfer use cases: everything is checked before the transfer and its jobs are written at
 * once.
 */
import { randomUUID } from 'node:crypto';
import type { TransferImages, TransferRequest } from '@portcullis/contract';
import {
  isBlocked,
  isSelection,
  type Principal,
  type RetriedJobs,
  retry,
  type StagingJob,
  type TransferOrder,
  transferJob,
  transferStatus,
} from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import type { ProgressMessage } from '@portcullis/events';
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type {
  JobRef,
  JobSummary,
  NewJob,
  Page,
  Store,
  Transfer,
  TransferFilter,
} from '@portcullis/store';
import type { AssertJobs } from '../staging/quota.ts';
import type { Idempotency } from '../staging/service.ts';
import type { TokenReach } from '../staging/token-reach.ts';
import { createDispatcher } from './dispatcher.ts';
import { imagesOf } from './images.ts';
import { type OrderPorts, orderOf, resolveOrder } from './resolve-order.ts';

export interface TransferPorts {
  /** Resolves both ends of an order. */
  resolution: OrderPorts;
  store: Pick<Store, 'transfers' | 'jobs'>;
  queues: Pick<Queues, 'dispatch' | 'cancel' | 'enqueue'>;
  assertJobs: AssertJobs;
  reach: Pick<TokenReach, 'transfer'>;
  /** Tells open pages of a change of the transfer itself; workers announce those of its jobs. */
  announce(message: ProgressMessage): Promise<void>;
  log: Pick<Logger, 'warn'>;
}

/** The audit event names the transfer as soon as it has an id. */
export interface SubmitOptions {
  idempotency: Idempotency;
  about(id: string): void;
}

interface Paging {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export function createTransferService(ports: TransferPorts) {
  const { store, queues, reach } = ports;
  const { dispatchAll, bestEffort } = createDispatcher(ports);

  async function submit(
    principal: Principal,
    request: TransferRequest,
    options: SubmitOptions,
  ): Promise<{ id: string; jobIds: string[] }> {
    const order = orderOf(await resolveOrder(request, principal, ports.resolution));
    const id = await once(principal, options, order);
    return { id, jobIds: await store.transfers.jobIds(id) };
  }

  /** Commits the transfer, its jobs and the key together, then enqueues the jobs. */
  async function once(
    principal: Principal,
    { idempotency, about }: SubmitOptions,
    order: TransferOrder,
  ): Promise<string> {
    const key = idempotency && { ...idempotency, userId: principal.id };
    let queued: JobRef[] = [];
    const { ids, replayed } = await store.jobs.idempotency(key, async ({ jobs, transfers }) => {
      await ports.assertJobs(principal, order.entries.length, jobs);
      const transfer = { ownerId: principal.id, order, jobs: jobsOf(order, principal) };
      const inserted = await transfers.insert(transfer);
      queued = inserted.jobs;
      about(inserted.id);
      return [inserted.id];
    });
    const transfer = await store.transfers.find(ids[0] ?? '');
    if (!transfer) throw transferUnknown();
    if (replayed) return transfer.id;
    await dispatchAll(queued);
    await announce(transfer);
    if (order.entries.some(({ tags }) => isSelection(tags))) await expand(transfer.id);
    return transfer.id;
  }

  async function list(
    principal: Principal,
    filter: TransferFilter,
  ): Promise<Omit<Page<Transfer>, 'total'> & { total: number | null }> {
    const page = await store.transfers.list(
      principal.isAdmin ? filter : { ...filter, ownerId: principal.id },
    );
    if (principal.tokenActions === undefined) return page;
    const items: Transfer[] = [];
    for (const transfer of page.items)
      if (await reach.transfer(principal, transfer.id)) items.push(transfer);
    return { ...page, items, total: null };
  }

  /** @throws not_found also for transfers of other accounts, and those out of a token's reach */
  async function visible(principal: Principal, id: string): Promise<Transfer> {
    const transfer = await store.transfers.find(id);
    if (!transfer || (transfer.ownerId !== principal.id && !principal.isAdmin))
      throw transferUnknown();
    if (!(await reach.transfer(principal, id))) throw transferUnknown();
    return transfer;
  }

  async function detail(
    principal: Principal,
    id: string,
    paging: Paging,
  ): Promise<{ transfer: Transfer; jobs: Page<JobSummary> }> {
    const transfer = await visible(principal, id);
    return { transfer, jobs: await store.jobs.list({ ...paging, transferId: id }) };
  }

  function images(transfer: Transfer): Promise<TransferImages> {
    return imagesOf(transfer, store.transfers);
  }

  async function cancel(principal: Principal, id: string): Promise<Transfer> {
    const transfer = await visible(principal, id);
    if (statusOf(transfer) !== 'running')
      throw conflict('TRANSFER_SETTLED', 'Nothing of this transfer runs or waits.');
    await letGo(await store.transfers.cancel(id));
    await announce(transfer);
    return visible(principal, id);
  }

  async function retryFailed(
    principal: Principal,
    id: string,
    only: RetriedJobs,
  ): Promise<Transfer> {
    const transfer = await visible(principal, id);
    const selections = only === 'blocked' ? 0 : await store.transfers.requeueSelections(id);
    const jobs = await store.transfers.updateJobs(id, ['failed'], (job) =>
      isRetried(job, only) ? retry(job, principal, new Date()) : null,
    );
    if (selections + jobs.length === 0)
      throw conflict('TRANSFER_NOT_RETRYABLE', 'Nothing of this transfer can be retried.');
    await dispatchAll(jobs);
    if (selections > 0) await expand(id);
    await announce(transfer);
    return visible(principal, id);
  }

  async function remove(principal: Principal, id: string): Promise<void> {
    const transfer = await visible(principal, id);
    await letGo(await store.transfers.cancel(id));
    const jobs = await store.transfers.remove(id);
    await announce(transfer);
    await bestEffort(async () => {
      for (const job of jobs)
        await queues.enqueue({ name: 'discard', jobId: job.id }, { storageId: job.storageId });
    });
  }

  /** Notifies the workers at once; otherwise they read the row when they renew their lease. */
  async function letGo(running: JobRef[]): Promise<void> {
    await bestEffort(async () => {
      for (const job of running) await queues.cancel(job.id);
    });
  }

  function announce({ id, ownerId }: Pick<Transfer, 'id' | 'ownerId'>): Promise<void> {
    return bestEffort(() => ports.announce({ jobId: id, ownerId, kind: 'transfer', data: {} }));
  }

  function expand(transferId: string): Promise<void> {
    return bestEffort(() => queues.enqueue({ name: 'expand-transfer', transferId }));
  }

  return { submit, list, visible, detail, images, cancel, retryFailed, remove };
}
export type TransferService = ReturnType<typeof createTransferService>;

function isRetried(job: StagingJob, only: RetriedJobs): boolean {
  return only === 'all' || isBlocked(job) === (only === 'blocked');
}

export function statusOf({ counts, selections }: Transfer) {
  return transferStatus(
    counts,
    selections.map(({ state }) => state),
  );
}

function jobsOf(order: TransferOrder, by: Principal): NewJob[] {
  const now = new Date();
  return order.entries.flatMap((entry) =>
    isSelection(entry.tags)
      ? []
      : [transferJob(order, { entry, tag: entry.tags.tag }, { by, pushId: randomUUID(), now })],
  );
}

function transferUnknown() {
  return notFound('TRANSFER_UNKNOWN', 'There is no transfer with this id.');
}
