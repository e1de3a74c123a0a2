import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

describe('a lane', () => {
  it('lets in as many as it has places, and the next when one leaves', async () => {
    const lanes = new Lanes(2);
    const leave = await lanes.enter('read', 'a', undefined);
    await lanes.enter('read', 'a', undefined);
    let entered = false;
    const third = lanes.enter('read', 'a', undefined).then(() => {
      entered = true;
    });
    await Promise.resolve();
    expect(entered).toBe(false);
    leave();
    leave();
    await third;
    expect(entered).toBe(true);
  });

  it('is not held up by other hosts, nor by other lanes of its host', async () => {
    const lanes = new Lanes(1);
    await lanes.enter('read', 'a', undefined);
    await lanes.enter('write', 'a', undefined);
    await lanes.enter('control', 'a', undefined);
    await lanes.enter('read', 'b', undefined);
  });

  it('forgets who gave up waiting', async () => {
    const lanes = new Lanes(1);
    const leave = await lanes.enter('read', 'a', undefined);
    const controller = new AbortController();
    const gone = lanes.enter('read', 'a', controller.signal);
    const next = lanes.enter('read', 'a', undefined);
    controller.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    leave();
    (await next)();
    (await lanes.enter('read', 'a', undefined))();
  });
});
