import { describe, expect, it } from 'vitest';
import { HostLimiter } from './host-limiter.ts';

describe('a requestClass', () => {
  it('lets in as many as it has places, and the next when one leaves', async () => {
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

  it('is not held up by other hosts, nor by other limiter of its host', async () => {
    const limiter = new HostLimiter(1);
    await limiter.enter('read', 'a', undefined);
    await limiter.enter('write', 'a', undefined);
    await limiter.enter('control', 'a', undefined);
    await limiter.enter('read', 'b', undefined);
  });

  it('forgets who gave up waiting', async () => {
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
