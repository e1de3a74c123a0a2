/** What schedules.int and schedules.night start, and how they look at it. */
import { randomUUID } from 'node:crypto';
import type { TransferOrder } from '@portcullis/domain';
import type { SavedRegistry, Schedule, User } from '@portcullis/store';
import { pushImage, randomImage, startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { orderOf, toLocal } from './batch.ts';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export let source: TestRegistry;

let saved: SavedRegistry;

export const save = (host: string) =>
  harness.store.registries.insert({ name: host, host, useTls: false });

export async function worker() {
  const started = await harness.startWorker();
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

export function order(repository: string, from: SavedRegistry = saved): TransferOrder {
  const entry = { image: 'nightly/app', repository, tags: { tag: '1' }, targetTag: null };
  const ends = {
    from: { registryId: from.id, host: from.host },
    to: toLocal(harness.registry.host),
  };
  return orderOf(ends, [entry]);
}

interface Made {
  cron?: string;
  owner?: User;
  nextRunAt?: Date;
  order?: TransferOrder;
}

export async function schedule({
  cron = '0 0 1 1 *',
  owner = harness.admin,
  nextRunAt = new Date(),
  ...rest
}: Made = {}) {
  const made = await harness.store.schedules.insert({
    ownerId: owner.id,
    name: 'nightly',
    cron,
    timezone: 'UTC',
    enabled: true,
    request: {},
    order: rest.order ?? order(`gate/${randomUUID()}`),
    nextRunAt,
  });
  onTestFinished(async () => void (await harness.store.schedules.remove(made.id)));
  return made;
}

export async function until(id: string, done: (row: Schedule) => boolean): Promise<Schedule> {
  let row: Schedule | null = null;
  await expect
    .poll(async () => {
      row = await harness.store.schedules.find(id);
      return row !== null && done(row);
    })
    .toBe(true);
  if (!row) throw new Error('the schedule is gone');
  return row;
}

export const runsOf = async (id: string) =>
  (await harness.store.transfers.list({ limit: 200 })).items.filter(
    ({ scheduleId }) => scheduleId === id,
  );

export function startSchedules(): void {
  beforeAll(async () => {
    [harness, source] = await Promise.all([openHarness(), startRegistry()]);
    saved = await save(source.host);
    await pushImage(source.url, 'nightly/app', '1', await randomImage());
  });
  afterAll(async () => {
    await harness?.[Symbol.asyncDispose]();
    await source?.stop();
  });
}
