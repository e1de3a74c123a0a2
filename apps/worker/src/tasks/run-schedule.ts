/** One run of a schedule, with the rights that its owner has now, or the reason for a refusal. */
import { randomUUID } from 'node:crypto';
import {
  isSelection,
  type JobSource,
  LOCAL_REGISTRY_ID,
  type Principal,
  type TransferOrder,
  transferJob,
  transferRights,
} from '@portcullis/domain';
import { conflict, isAppError, isTransient, notFound } from '@portcullis/errors';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import { nextRun, type Queues } from '@portcullis/queue';
import { forRequest, type Logger, requestIdNow } from '@portcullis/runtime';
import type { Schedule, Store } from '@portcullis/store';
import type { JobRights } from '../pipeline/rights.ts';

export interface RunSchedulePorts {
  schedules: Pick<Store['schedules'], 'find' | 'start' | 'refused'>;
  registries: Pick<Store['registries'], 'find'>;
  rights: Pick<JobRights, 'principal' | 'assertAll' | 'assertOverride'>;
  queues: Pick<Queues, 'dispatch' | 'enqueue' | 'unschedule'>;
  audit: Pick<AuditLog, 'end'> & Pick<Store['outbox'], 'scope'>;
  now(): Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

interface Run {
  schedule: Schedule;
  manual: boolean;
  now: Date;
}

/** A run has an id as a request has: that of the request for it, or where it is due a new one. */
export function runSchedule(id: string, manual: boolean, ports: RunSchedulePorts): Promise<void> {
  const requestId = (manual && requestIdNow()) || randomUUID();
  return forRequest(requestId, () => runOnce(id, manual, ports));
}

async function runOnce(id: string, manual: boolean, ports: RunSchedulePorts): Promise<void> {
  const schedule = await ports.schedules.find(id);
  if (!schedule || !(schedule.enabled || manual)) return ports.queues.unschedule(id);
  const run = { schedule, manual, now: ports.now() };
  // Both BullMQ's timer and the sweeper lead here; the second has nothing to do.
  if (!manual && (schedule.nextRunAt === null || schedule.nextRunAt > run.now)) return;
  try {
    const owner = await ports.rights.principal(schedule.ownerId);
    await assertStillAllowed(schedule.order, owner, ports);
    await start(run, owner, ports);
  } catch (error) {
    if (!isAppError(error) || isTransient(error)) throw error;
    await refuse(run, error, ports);
  }
}

async function assertStillAllowed(
  order: TransferOrder,
  owner: Principal,
  ports: RunSchedulePorts,
): Promise<void> {
  await ports.rights.assertAll(owner, transferRights(order).keys());
  await ports.rights.assertOverride(owner, order.overrides);
  for (const place of [order.source, order.destination]) await assertSameRegistry(place, ports);
}

/** Paths were resolved for the registry's host at that time; after a change they must be again. */
async function assertSameRegistry(
  { registryId, host }: Pick<JobSource, 'registryId' | 'host'>,
  { registries }: RunSchedulePorts,
): Promise<void> {
  if (registryId === null || registryId === LOCAL_REGISTRY_ID) return;
  const saved = await registries.find(registryId);
  if (!saved) throw notFound('REGISTRY_UNKNOWN', 'the saved registry is gone');
  if (saved.host !== host)
    throw conflict(
      'REGISTRY_CHANGED',
      'the saved registry has another host now; save the schedule again',
    );
}

async function start(
  { schedule, manual, now }: Run,
  owner: Principal,
  ports: RunSchedulePorts,
): Promise<void> {
  const { id, order } = schedule;
  const about = () => ({ by: owner, pushId: randomUUID(), now });
  const jobs = order.entries.flatMap((entry) =>
    isSelection(entry.tags) ? [] : [transferJob(order, { entry, tag: entry.tags.tag }, about())],
  );
  const transfer = { ownerId: owner.id, order, jobs };
  const asked = { now, manual, nextRunAt: after(schedule, now), transfer };
  const started = await record(ports, schedule, async () => {
    const answer = await ports.schedules.start(id, asked);
    const detail = answer.kind === 'started' ? { transfer_id: answer.transferId, manual } : null;
    return { answer, event: detail && ranEvent(schedule, 'success', detail) };
  });
  if (started.kind === 'not_due') return;
  if (started.kind === 'still_running') {
    if (schedule.lastError?.code === STILL_RUNNING.code) return;
    return ports.schedules.refused(id, STILL_RUNNING, { now });
  }
  for (const job of started.jobs) await ports.queues.dispatch(job);
  if (jobs.length < order.entries.length)
    await ports.queues.enqueue({ name: 'expand-transfer', transferId: started.transferId });
}

/**
 * The first write of `work` commits a draft of the event with it; the draft is completed
 * afterwards, or withdrawn where nothing was done.
 */
async function record<T>(
  { audit }: RunSchedulePorts,
  schedule: Schedule,
  work: () => Promise<{ answer: T; event: AuditEvent | null }>,
): Promise<T> {
  const draft = ranEvent(schedule, 'success', { interrupted: true });
  const scope = audit.scope(() => draft);
  // After a fault the draft stays: whether the change was committed may not be known.
  const { answer, event } = await scope.run(work);
  await audit.end(scope, event && { ...event, id: draft.id });
  return answer;
}

const STILL_RUNNING = {
  code: 'STILL_RUNNING',
  message: 'the last transfer is not over; this run starts once it is',
};

async function refuse(
  { schedule, now }: Run,
  { code, message }: { code: string; message: string },
  ports: RunSchedulePorts,
): Promise<void> {
  const nextRunAt = schedule.enabled ? after(schedule, now) : null;
  await record(ports, schedule, async () => {
    await ports.schedules.refused(schedule.id, { code, message }, { now, nextRunAt });
    return { answer: null, event: ranEvent(schedule, 'denied', { code }) };
  });
  ports.log.warn({ schedule: schedule.id, code }, 'a schedule did not run');
}

function after({ cron, timezone }: Schedule, now: Date): Date {
  return nextRun(cron, timezone, now);
}

function ranEvent(
  { id, name, ownerId, ownerName }: Schedule,
  outcome: AuditEvent['outcome'],
  detail: AuditEvent['detail'],
): AuditEvent {
  return systemEvent({
    event: 'transfer.schedule.ran',
    action: 'run',
    outcome,
    actor: { id: ownerId, name: ownerName },
    resource: { kind: 'transfer_schedule', id, name },
    detail,
  });
}
