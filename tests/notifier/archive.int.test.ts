/** The notifier as a process: it archives every event once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { publish } from '@portcullis/events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { end, type Harness, openHarness, testEvent } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const archived = async () =>
  (await harness.store.audit.list({}, { limit: 200 })).items.map(({ event: name }) => name).sort();

it('stores events from before and after its start, duplicates once, and all of them after a kill', async () => {
  await harness.publish('a');
  const first = await harness.start();
  const twice = testEvent('b');
  for (const each of [twice, twice, testEvent('c')]) await publish(harness.redis, each);
  await expect.poll(archived).toEqual(['a', 'b', 'c']);

  await end(first, 'SIGKILL');
  await harness.publish('d');
  const second = await harness.start();
  await harness.publish('e');
  await expect.poll(archived).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect((await harness.store.audit.list({ event: 'e' })).items[0]).toMatchObject({
    detail: { of: 'e' },
  });
  expect(await end(second, 'SIGTERM')).toBe(0);
});

it('reports faults in its settings, and ends', async () => {
  const main = path.resolve(import.meta.dirname, '../../apps/notifier/src/main.ts');
  const child = spawn(process.execPath, [main], {
    env: { REDIS_URL: 'http://x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  for await (const chunk of child.stderr) text += chunk;
  expect(text).toMatch(/DATABASE_URL[\s\S]*REDIS_URL/);
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(1);
});
