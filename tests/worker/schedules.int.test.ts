/** Schedules, run by workers as processes: on time, once, with the owner's rights, or refused. */
import { randomUUID } from 'node:crypto';
import type { User } from '@portcullis/store';
import { fetchManifest } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  harness,
  order,
  runsOf,
  schedule,
  startSchedules,
  until,
  worker,
} from './schedules.fixture.ts';

startSchedules();

describe('a schedule', () => {
  it('without an entry in Redis runs every second, one run after the other, and stops when it is removed', async () => {
    const repository = 'gate/every-second';
    const { id } = await schedule({ cron: '* * * * * *', order: order(repository) });
    await worker();
    await expect.poll(async () => (await runsOf(id)).length).toBeGreaterThanOrEqual(3);
    const runs = await runsOf(id);
    // Oldest first: each began after the one before had ended.
    const [first, second] = runs.reverse();
    const over = await harness.store.jobs.list({ transferId: first?.id });
    expect(second?.createdAt.getTime()).toBeGreaterThanOrEqual(
      over.items[0]?.finishedAt?.getTime() ?? Infinity,
    );
    await harness.store.schedules.remove(id);
    // A registry of version 2 answers 500 while a run that had begun writes the tag's link anew.
    await expect
      .poll(async () => (await fetchManifest(harness.registry.url, repository, '1')).status)
      .toBe(200);
  });

  it.each<[string, string, (alice: User) => Promise<unknown>]>([
    ['of an account that lost the right', 'PULL_EXTERNAL_FORBIDDEN', async () => undefined],
    [
      'of a disabled account',
      'ACCOUNT_DISABLED',
      (alice) => harness.store.users.update(alice.id, { disabled: true }),
    ],
  ])('%s does not run, and records why', async (_, code, change) => {
    const owner = await harness.store.users.insert({
      username: `o-${randomUUID()}`,
      passwordHash: null,
    });
    await change(owner);
    const { id } = await schedule({ owner });
    await worker();
    const row = await until(id, ({ lastError }) => lastError !== null);
    expect(row.lastError).toMatchObject({ code, message: expect.any(String) });
    expect(row.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await runsOf(id)).toEqual([]);
  });
});
