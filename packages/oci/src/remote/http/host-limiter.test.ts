import { describe, expect, it } from 'vitest';
import { HostLimiter } from './host-limiter.ts';

describe('the host limiter', () => {
  it('admits up to the limit, and the next request when one ends', async () => {
    const limiter = new HostLimiter(2);
    const leave = await limiter.enter('read', 'a', undefined);
    await limiter.enter('read', 'a', undefined);
    let entered = false;
    const third = limiter.enter('read', 'a', undefined).then(() => {
      entered = true;
    });
    await Promise.resolve();
    expect(entered).toBe(false);
    leave();
    leave();
    await third;
    expect(entered).toBe(true);
  });

  it('limits each host and each class of requests separately', async () => {
    const limiter = new HostLimiter(1);
    await limiter.enter('read', 'a', undefined);
    await limiter.enter('write', 'a', undefined);
    await limiter.enter('control', 'a', undefined);
    await limiter.enter('read', 'b', undefined);
  });

  it('removes an aborted request from the queue', async () => {
    const limiter = new HostLimiter(1);
    const leave = await limiter.enter('read', 'a', undefined);
    const controller = new AbortController();
    const gone = limiter.enter('read', 'a', controller.signal);
    const next = limiter.enter('read', 'a', undefined);
    controller.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    leave();
    (await next)();
    (await limiter.enter('read', 'a', undefined))();
  });
});
