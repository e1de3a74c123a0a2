import { expect, it } from 'vitest';
import { createEarlySync } from './early-sync.ts';

const MIB = 1024 * 1024;

it('a file is synced every 16 MiB, and not again while a sync runs', async () => {
  const running: PromiseWithResolvers<void>[] = [];
  const datasync = () => {
    const sync = Promise.withResolvers<void>();
    running.push(sync);
    return sync.promise;
  };
  const sync = createEarlySync({ datasync }, 0);
  const other = createEarlySync({ datasync }, 0);
  sync.note(15 * MIB);
  expect(running).toHaveLength(0);
  sync.note(16 * MIB);
  sync.note(40 * MIB);
  other.note(40 * MIB);
  expect(running).toHaveLength(1);
  running[0]?.resolve();
  await sync.settled();
  other.note(41 * MIB);
  expect(running).toHaveLength(2);
  running[1]?.resolve();
  await other.settled();
  other.assertSynced();
});

it('a sync that failed is not forgotten when a later one succeeds', async () => {
  const failure = new Error('EIO');
  const outcomes = [Promise.reject(failure), Promise.resolve()];
  const sync = createEarlySync({ datasync: async () => outcomes.shift() }, 0);
  for (const end of [16 * MIB, 32 * MIB]) {
    sync.note(end);
    await sync.settled();
  }
  expect(outcomes).toEqual([]);
  expect(() => sync.assertSynced()).toThrow(failure);
});
