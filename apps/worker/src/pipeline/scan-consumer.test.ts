import { createLogger } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import { scanConsumer } from './scan-consumer.ts';

function setUp(answers: (boolean | Error)[]) {
  const events: string[] = [];
  const part = scanConsumer({
    async answerable() {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer === true;
    },
    consume() {
      events.push('taking');
      return { running: () => 0, stop: async (graceMs) => void events.push(`stopped ${graceMs}`) };
    },
    everyMs: 5,
    graceMs: 7,
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  return { part, events };
}

it('starts once, as soon as scans can have a result, also after a failed check', async () => {
  const { part, events } = setUp([false, new Error('no database'), true]);
  await part.start?.();
  expect(events).toEqual([]);
  await expect.poll(() => events).toEqual(['taking']);
  await part.stop?.();
  expect(events).toEqual(['taking', 'stopped 7']);
});

it('stops before it started', async () => {
  const { part, events } = setUp([false]);
  await part.start?.();
  await part.stop?.();
  expect(events).toEqual([]);
});
