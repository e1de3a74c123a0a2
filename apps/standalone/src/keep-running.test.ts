import type { Exit, Service } from '@portcullis/embedded';
import { expect, it, vi } from 'vitest';
import { describeFailure, exitedByItself, keepRunning, restartPause } from './keep-running.ts';

function fakeService() {
  const { promise: exited, resolve: exit } = Promise.withResolvers<Exit>();
  const stop = vi.fn(async () => exit({ code: 0, signal: null }));
  const service: Service = {
    name: 'fake',
    pid: 1,
    identity: '1',
    exited,
    tail: () => '',
    stop,
    kill: vi.fn(),
  };
  return { service, exit, stop };
}

it('the pauses grow up to half a minute', () => {
  expect([1, 2, 3, 20].map(restartPause)).toEqual([200, 400, 800, 30_000]);
});

it('a service that ended is started again, also after a failed start', async () => {
  const [first, second] = [fakeService(), fakeService()];
  const start = vi.fn<() => Promise<Service>>();
  start
    .mockResolvedValueOnce(first.service)
    .mockRejectedValueOnce(new Error('not yet'))
    .mockResolvedValueOnce(second.service);
  const troubles: string[] = [];
  const keeper = await keepRunning({
    name: 'fake',
    start,
    onTrouble: (trouble) => troubles.push(describeFailure(trouble)),
    pause: () => 1,
  });
  first.exit({ code: 3, signal: null });
  await expect.poll(() => start).toHaveBeenCalledTimes(3);
  expect(troubles).toEqual(['ended by itself (exit code 3)', 'not yet']);
  await keeper.stop();
  expect(second.stop).toHaveBeenCalledOnce();
});

it('a stopped service is not restarted', async () => {
  const { service } = fakeService();
  const start = vi.fn(async () => service);
  const keeper = await keepRunning({ name: 'fake', start, onTrouble: () => {}, pause: () => 1 });
  await keeper.stop();
  expect(start).toHaveBeenCalledOnce();
});

it.each<[string, Partial<Exit>, boolean]>([
  ['its own exit code', { code: 1 }, true],
  ['exit code 0', { code: 0 }, true],
  ['the out-of-memory killer', { signal: 'SIGKILL' }, false],
  ['its own lack of memory', { signal: 'SIGABRT' }, false],
])('F10: whether a program that ended by %s gave up', (_, exit, expected) => {
  const { service } = fakeService();
  expect(
    exitedByItself({ kind: 'ended', exit: { code: null, signal: null, ...exit }, service }),
  ).toBe(expected);
});

it('F10: a program that could not be started gave up', () => {
  expect(exitedByItself({ kind: 'not started', error: new Error('no such file') })).toBe(true);
});
