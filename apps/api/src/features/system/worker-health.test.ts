import { expect, it } from 'vitest';
import { assertWorkers } from './worker-health.ts';

const started = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number) => new Date(started.getTime() + seconds * 1000);

it.each([
  ['a worker was just seen', after(600), 601, true],
  ['a worker is replaced', after(600), 630, true],
  ['no worker has been seen for half a minute', after(600), 631, false],
  ['none has started yet', null, 30, true],
  ['none ever started', null, 31, false],
  ['a worker was seen before this process began', after(-3600), 5, false],
])('%s', (_, seen, seconds, isThere) => {
  const look = () => assertWorkers({ seen, started, now: after(seconds) });
  if (isThere) expect(look).not.toThrow();
  else expect(look).toThrow(expect.objectContaining({ code: 'NO_WORKER' }));
});

it('says when the last one was seen', () => {
  expect(() => assertWorkers({ seen: after(0), started, now: after(90) })).toThrow(
    'no worker runs: the last one was seen at 2026-05-01T10:00:00Z',
  );
});
