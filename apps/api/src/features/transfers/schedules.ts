/** Schedules: checked like a transfer when they are saved, and again by the worker at each run. */
import {
  fieldFault,
  type NewSchedule,
  type SchedulePatch,
  type TransferRequest,
} from '@portcullis/contract';
import type { Principal } from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import { cronFault, isTimezone, nextRun, nextRuns, type Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { Page, Schedule, ScheduleFilter, Store } from '@portcullis/store';
import { fieldsInvalid } from '../../http/problem.ts';
import { type Principals, principalOf } from '../../identity/principals.ts';
import { assertSession } from '../tokens/service.ts';
import { createDispatcher } from './dispatcher.ts';
import { type OrderPorts, orderOf, resolveOrder } from './resolve-order.ts';
import { statusOf } from './service.ts';

export interface ScheduleServicePorts {
  /** Resolves both ends of an order. */
  resolution: OrderPorts;
  store: Pick<Store, 'schedules' | 'transfers'>;
  queues: Pick<Queues, 'dispatch' | 'enqueue' | 'schedule' | 'unschedule'>;
  /** The account with its present rights. @throws conflict if it is disabled */
  owner(id: string): Promise<Principal>;
  leastSeconds: number;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

const RUNS_SHOWN = 5;
const MOST_OF_ACCOUNT = 100;

type Times = Pick<Schedule, 'cron' | 'timezone' | 'enabled'>;

export function createScheduleService(ports: ScheduleServicePorts) {
  const { store, queues } = ports;
  const { bestEffort } = createDispatcher(ports);

  async function create(principal: Principal, body: NewSchedule): Promise<Schedule> {
    assertSession(principal, 'schedules');
    const { name, cron, timezone, enabled, ...request } = body;
    const times = { cron, timezone, enabled };
    assertTimes(times);
    const order = orderOf(await resolveOrder(request, principal, ports.resolution));
    await assertRoom(principal.id);
    const nextRunAt = nextOf(times);
    const row = { ownerId: principal.id, name, ...times, request, order, nextRunAt };
    return withTimes(await store.schedules.insert(row));
  }

  async function assertRoom(ownerId: string): Promise<void> {
    const { total } = await store.schedules.list({ ownerId, limit: 1 });
    if (total >= MOST_OF_ACCOUNT)
      throw conflict('SCHEDULES_MANY', `An account has ${MOST_OF_ACCOUNT} schedules at most.`);
  }

  async function update(principal: Principal, id: string, patch: SchedulePatch): Promise<Schedule> {
    assertSession(principal, 'schedules');
    const before = await visible(principal, id);
    const { name, cron, timezone, enabled, ...transfer } = patch;
    const times = {
      cron: cron ?? before.cron,
      timezone: timezone ?? before.timezone,
      enabled: enabled ?? before.enabled,
    };
    assertTimes(times);
    const changed = Object.keys(transfer).length > 0 ? await toOrder(before, transfer) : {};
    // A due run is kept unless the times themselves were changed.
    const retimed = cron !== undefined || timezone !== undefined || enabled !== undefined;
    const change = { ...(name !== undefined && { name }), ...times, ...changed };
    return withTimes(
      await store.schedules.update(id, { ...change, ...(retimed && { nextRunAt: nextOf(times) }) }),
    );
  }

  /** The owner's rights apply, even if an administrator changes the schedule. */
  async function toOrder({ ownerId, request }: Schedule, change: Partial<TransferRequest>) {
    // The stored body and the change were both validated by the schema.
    const merged = { ...request, ...change } as TransferRequest;
    const whole = { ...merged, include_referrers: merged.include_referrers ?? true };
    const order = orderOf(await resolveOrder(whole, await ports.owner(ownerId), ports.resolution));
    return { request: whole, order };
  }

  function list(
    principal: Principal,
    wanted: Omit<ScheduleFilter, 'ownerId'>,
  ): Promise<Page<Schedule>> {
    return store.schedules.list(principal.isAdmin ? wanted : { ...wanted, ownerId: principal.id });
  }

  /** @throws not_found also for schedules of other accounts */
  async function visible(principal: Principal, id: string): Promise<Schedule> {
    const schedule = await store.schedules.find(id);
    if (!schedule || (schedule.ownerId !== principal.id && !principal.isAdmin))
      throw notFound('SCHEDULE_UNKNOWN', 'There is no schedule with this id.');
    return schedule;
  }

  async function remove(principal: Principal, id: string): Promise<void> {
    await visible(principal, id);
    await store.schedules.remove(id);
    // If this fails, a worker finds no schedule at the next run, and removes the timer.
    await bestEffort(() => queues.unschedule(id));
  }

  async function run(principal: Principal, id: string): Promise<Schedule> {
    const schedule = await visible(principal, id);
    const last = schedule.lastTransferId && (await store.transfers.find(schedule.lastTransferId));
    if (last && statusOf(last) === 'running')
      throw conflict('SCHEDULE_RUNNING', 'The last transfer of this schedule is not over.');
    await queues.enqueue({ name: 'run-schedule', scheduleId: id, manual: true });
    return schedule;
  }

  function preview(times: Pick<Times, 'cron' | 'timezone'>): Date[] {
    assertTimes(times);
    return nextRuns(times.cron, times.timezone, ports.now(), RUNS_SHOWN);
  }

  function assertTimes({ cron, timezone }: Pick<Times, 'cron' | 'timezone'>): void {
    if (!isTimezone(timezone))
      throw fieldsInvalid([
        fieldFault(
          'timezone',
          'TIMEZONE_INVALID',
          'An IANA time zone is expected, as Europe/Berlin.',
        ),
      ]);
    const fault = cronFault({ cron, timezone }, ports.leastSeconds, ports.now());
    if (fault !== null) throw fieldsInvalid([{ path: 'cron', ...fault }]);
  }

  function nextOf({ cron, timezone, enabled }: Times): Date | null {
    return enabled ? nextRun(cron, timezone, ports.now()) : null;
  }

  async function withTimes(schedule: Schedule): Promise<Schedule> {
    const { id, cron, timezone, enabled } = schedule;
    await bestEffort(() =>
      enabled ? queues.schedule(id, { cron, timezone }) : queues.unschedule(id),
    );
    return schedule;
  }

  const recentRuns = (ids: readonly string[]) => store.schedules.recentRuns(ids);

  return { create, update, list, visible, remove, run, preview, recentRuns };
}

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** @throws conflict if the account is gone or disabled */
export async function ownerOf(
  principals: Pick<Principals, 'account'>,
  id: string,
): Promise<Principal> {
  const account = await principals.account(id);
  if (!account)
    throw conflict('OWNER_DISABLED', 'The account that this schedule belongs to is disabled.');
  return principalOf(account, { auth: 'system' });
}
