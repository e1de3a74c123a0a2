import { createLogger } from '@portcullis/runtime';
import { afterEach, expect, it, vi } from 'vitest';
import { type HeldConsumer, pauseWhileHindered } from './hold.ts';

afterEach(() => void vi.useRealTimers());

it('consumers pause for what they wait for; the log has a line for each worst cause', async () => {
  vi.useFakeTimers();
  const now = { disk: false, space: false };
  const did: string[] = [];
  const held = (name: string, waitsFor: HeldConsumer['waitsFor']): HeldConsumer => ({
    consumer: {
      pause: async () => void did.push(`${name} waits`),
      resume: () => void did.push(`${name} runs`),
    },
    waitsFor,
  });
  const consumers = [held('pull', ['disk', 'space']), held('push', ['disk'])];
  const log = createLogger({
    name: 'test',
    destination: {
      write(line) {
        const { level, msg } = JSON.parse(line);
        did.push(`${level}: ${msg}`);
      },
    },
  });
  const holding = pauseWhileHindered({
    looks: {
      disk: async () => now.disk,
      space: async () => now.space,
    },
    consumers: () => consumers,
    log,
  });
  await holding.start?.();
  const steps = [{ space: true }, { disk: true }, { disk: false, space: false }];
  for (const next of steps) {
    Object.assign(now, next);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  await holding.stop?.();
  expect(did).toEqual([
    ...['pull runs', 'push runs'],
    'warn: space is short: pulls and scans wait',
    ...['pull waits', 'push runs'],
    'warn: this worker cannot write to its DATA_DIR: it takes no jobs',
    ...['pull waits', 'push waits'],
    'info: jobs are taken again',
    ...['pull runs', 'push runs'],
  ]);
});
