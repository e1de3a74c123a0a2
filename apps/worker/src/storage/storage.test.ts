import { STORAGE_GRACE_MS, STORAGE_LEASE_MS } from '@portcullis/domain';
import type { StorageState } from '@portcullis/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type StorageKeeper, storageKeeper } from './storage.ts';

const STATE: StorageState = {
  disk: { total: 100, free: 50, reserve: 10 },
  registryDisk: null,
  fault: null,
  scanner: {
    binary: 'ready',
    version: '1',
    message: '',
    available: true,
    database: null,
    databaseFailure: null,
    javaDownload: null,
  },
};
const HALF_A_MINUTE = 30_000;

/** What the database does with a beat. */
let database: () => Promise<void>;
let keeper: StorageKeeper;

beforeEach(async () => {
  vi.useFakeTimers();
  database = async () => {};
  keeper = storageKeeper({
    id: 'a-storage',
    storages: { beat: () => database() },
    look: async () => STATE,
    log: { warn: () => {} },
    now: () => Date.now(),
  });
  await keeper.start?.();
});

afterEach(async () => {
  await keeper.stop?.();
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

async function becomesSteady(): Promise<void> {
  await pass(STORAGE_GRACE_MS - 5_000);
  expect(keeper.isSteady()).toBe(false);
  await pass(10_000);
  expect(keeper.isSteady()).toBe(true);
}

it(
  'a starting worker waits for the heartbeats of all others before it treats a storage as lost',
  becomesSteady,
);

it.each<[string, number, () => Promise<void>]>([
  ['refuses connections', HALF_A_MINUTE, () => Promise.reject(new Error('refused'))],
  ['does not answer', STORAGE_LEASE_MS + HALF_A_MINUTE, () => new Promise(() => {})],
])(
  'treats no storage as lost while the database %s, nor directly afterwards',
  async (_, outage, away) => {
    await pass(2 * STORAGE_GRACE_MS);
    expect(keeper.isSteady()).toBe(true);
    let isBack = () => {};
    database = () => Promise.race([away(), new Promise<void>((resolve) => (isBack = resolve))]);
    await pass(outage);
    expect(keeper.isSteady()).toBe(false);
    database = async () => {};
    isBack();
    await becomesSteady();
  },
);

it('stays steady through an outage that is shorter than the lease of workers', async () => {
  await pass(2 * STORAGE_GRACE_MS);
  let isBack = () => {};
  database = () => new Promise((resolve) => (isBack = resolve));
  await pass(HALF_A_MINUTE);
  isBack();
  await pass(0);
  expect(keeper.isSteady()).toBe(true);
});
