import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

function setUp(graceMs = 1_000) {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const port = Object.assign(new EventEmitter(), { exit: vi.fn() });
  const calls: string[] = [];
  const lifecycle = createLifecycle({ log, graceMs, process: port });
  const part = (name: string) => ({
    start: async () => void calls.push(`start ${name}`),
    stop: async () => void calls.push(`stop ${name}`),
  });
  return { lifecycle, log, port, calls, part };
}

describe('a lifecycle', () => {
  it('starts in order and stops in reverse order, once', async () => {
    const { lifecycle, calls, part } = setUp();
    lifecycle.add('a', part('a'));
    lifecycle.add('b', part('b'));
    expect(lifecycle.ready()).toBe(false);
    await lifecycle.start();
    expect(lifecycle.ready()).toBe(true);
    await Promise.all([lifecycle.stop('test'), lifecycle.stop('test')]);
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
    expect(lifecycle.ready()).toBe(false);
  });

  it('stops the started parts when one fails, and throws its error', async () => {
    const { lifecycle, calls, part } = setUp();
    lifecycle.add('a', part('a'));
    lifecycle.add('b', { start: () => Promise.reject(new Error('no port')) });
    lifecycle.add('c', part('c'));
    await expect(lifecycle.start()).rejects.toThrow('no port');
    expect(calls).toEqual(['start a', 'stop a']);
    expect(lifecycle.ready()).toBe(false);
  });

  it('stops the others when one fails to stop, or not in time', async () => {
    const { lifecycle, log, calls, part } = setUp(30);
    lifecycle.add('a', part('a'));
    lifecycle.add('b', { stop: () => Promise.reject(new Error('stuck')) });
    await lifecycle.start();
    await lifecycle.stop('test');
    expect(calls).toEqual(['start a', 'stop a']);
    expect(log.error).toHaveBeenCalledOnce();

    const slow = setUp(30);
    slow.lifecycle.add('hang', { stop: () => new Promise(() => {}) });
    await slow.lifecycle.start();
    await slow.lifecycle.stop('test');
    expect(slow.log.error).toHaveBeenCalledOnce();
  });

  it.each(['SIGTERM', 'SIGINT'])('%s stops everything, then exits', async (signal) => {
    const { lifecycle, port, calls, part } = setUp();
    lifecycle.add('a', part('a'));
    await lifecycle.start();
    port.emit(signal);
    port.emit(signal);
    await expect.poll(() => port.exit).toHaveBeenCalledWith(0);
    expect(calls).toEqual(['start a', 'stop a']);
    expect(port.listenerCount('SIGTERM') + port.listenerCount('SIGINT')).toBe(0);
  });
});
