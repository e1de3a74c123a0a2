import { createServer } from 'node:http';
import type { Principal } from '@portcullis/domain';
import { createLogger, openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { refusal, startRedis, type TestServer } from '@portcullis/testing';
import { samplePrincipal } from '@portcullis/testing/samples';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuessBudget } from '../../identity/password-throttle.ts';
import { type Listening, listen } from '../../server.ts';
import { errorHandler } from '../error-handler.ts';
import { limitRequests } from './rate-limit.ts';
import { requestId } from './request-id.ts';

const log = createLogger({ name: 'test', destination: { write: () => {} } });
let server: TestServer;
let redis: Redis;
let running: Listening[];

beforeEach(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'fail-fast', log });
  running = [];
});
afterEach(async () => {
  for (const one of running) await one.stop(100);
  redis.disconnect();
  await server.stop();
});

function principalOf(id: string): Principal {
  return samplePrincipal({ id, username: id });
}

/** A process with limits of 2 for an address and 4 for an account; `x-account` names the caller. */
async function start(
  trusted: string[] = [],
): Promise<(headers?: Record<string, string>) => Promise<Response>> {
  const app = express();
  app.set('trust proxy', trusted);
  app.use(requestId(log, () => 0));
  app.use(
    limitRequests({
      redis,
      principal: async (request) => {
        const id = request.get('x-account');
        return id ? principalOf(id) : null;
      },
      perAddress: 2,
      perAccount: 4,
      log,
    }),
  );
  app.use((_, response) => void response.end());
  app.use(errorHandler);
  // A process may start before its Redis.
  await redisReady(redis);
  const listening = await listen(createServer(app), 0, '127.0.0.1');
  running.push(listening);
  return (headers = {}) => fetch(`http://127.0.0.1:${listening.port}`, { headers });
}

async function statuses(asks: Promise<Response>[]): Promise<number[]> {
  return (await Promise.all(asks)).map(({ status }) => status).sort();
}

describe('the budget of requests', () => {
  it('is one per address without a credential, and the reply has Retry-After', async () => {
    const ask = await start();
    expect(await statuses([ask(), ask(), ask()])).toEqual([200, 200, 429]);
    const refused = await ask();
    expect(await refusal(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toMatch(/^"address"; r=0; t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toMatch(/^"address"; q=2; w=60; pk=:.+:$/);
  });

  it('is a larger one per account, independent of other clients at its address', async () => {
    const ask = await start();
    await statuses([ask(), ask(), ask()]);
    const ann = { 'x-account': 'ann' };
    expect(await statuses([ask(ann), ask(ann), ask(ann), ask(ann), ask(ann)])).toEqual([
      200, 200, 200, 200, 429,
    ]);
    expect((await ask({ 'x-account': 'bob' })).headers.get('ratelimit')).toMatch(
      /^"account"; r=3;/,
    );
  });

  it('is shared by all processes', async () => {
    const [one, two] = [await start(), await start()];
    expect(await statuses([one(), two(), one(), two()])).toEqual([200, 200, 429, 429]);
  });

  it('uses X-Forwarded-For of a trusted proxy, and of no other client', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const trusting = await start(['127.0.0.1']);
    expect(await statuses(['1', '1', '1', '2'].map((n) => trusting(from(`10.0.0.${n}`))))).toEqual([
      200, 200, 200, 429,
    ]);
    const wary = await start();
    expect(await statuses(['1', '2', '3'].map((n) => wary(from(`10.0.1.${n}`))))).toEqual([
      200, 200, 429,
    ]);
  });

  it('counts a whole IPv6 network as one address', async () => {
    const ask = await start(['127.0.0.1']);
    const asks = ['1', '2', '3'].map((n) => ask({ 'x-forwarded-for': `2001:db8:1:2::${n}` }));
    expect(await statuses(asks)).toEqual([200, 200, 429]);
  });

  it('limits no request while Redis is unavailable, and works after Redis has lost its scripts', async () => {
    const before = await start();
    await redis.script('FLUSH');
    expect(await statuses([before(), before(), before()])).toEqual([200, 200, 429]);
    await server.stop();
    expect(await statuses([before(), before(), before()])).toEqual([200, 200, 200]);
  });

  it('works in a process that was started before its Redis', async () => {
    const early = openRedis(server.url, { mode: 'fail-fast', log });
    const budget = createGuessBudget(early, { perAccount: 1, perAddress: 9, windowSeconds: 60 });
    await redisReady(early);
    await budget.spend({ username: 'ann', clientIp: '10.0.0.1' });
    await expect(budget.spend({ username: 'ANN', clientIp: '10.0.0.1' })).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    early.disconnect();
  });
});

describe('the budget of guesses', () => {
  const LIMITS = { perAccount: 3, perAddress: 5, windowSeconds: 60 };
  const guess = (username: string, clientIp = '10.0.0.1') => ({ username, clientIp });

  async function open() {
    await redisReady(redis);
    return createGuessBudget(redis, LIMITS);
  }

  it('counts every guess, however many are concurrent', async () => {
    const [one, two] = [await open(), await open()];
    const spent = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).spend(guess('ann', `10.0.0.${n}`))),
    );
    expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('is one per account in any letter case and from any address; and reset by the right password', async () => {
    const budget = await open();
    await budget.spend(guess('ann', '10.0.0.1'));
    await budget.spend(guess('ANN', '10.0.0.2'));
    await budget.succeeded(guess('Ann'));
    for (let n = 0; n < 3; n++) await budget.spend(guess('ann'));
    const refused = budget.spend(guess('ann', '10.0.0.9'));
    await expect(refused).rejects.toMatchObject({ kind: 'rate_limited', code: 'LOGIN_THROTTLED' });
    await refused.catch(({ retryAfter }) => expect(retryAfter).toBeGreaterThan(50));
    await expect(budget.spend(guess('bob'))).resolves.toBeUndefined();
  });

  it('is one per address across accounts; right passwords do not count', async () => {
    const budget = await open();
    for (let n = 0; n < 20; n++) {
      await budget.spend(guess(`right-${n}`));
      await budget.succeeded(guess(`right-${n}`));
    }
    for (let n = 0; n < 5; n++) await budget.spend(guess(`wrong-${n}`));
    await expect(budget.spend(guess('ann'))).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' });
    await expect(budget.assertAddress('10.0.0.1')).rejects.toMatchObject({
      code: 'LOGIN_THROTTLED',
    });
    await expect(budget.spend(guess('ann', '10.0.0.2'))).resolves.toBeUndefined();
  });

  it('counts the guesses of an address before they are checked, also those at once', async () => {
    const budget = await open();
    const burst = Array.from({ length: 63 }, (_, n) => budget.spend(guess(`nobody-${n}`)));
    const settled = await Promise.allSettled(burst);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    // Those beyond the limit were not checked: they count as little as those that are given back.
    await budget.unchecked(guess('nobody-0'));
    await expect(budget.spend(guess('ann'))).resolves.toBeUndefined();
  });

  it('does not count for an address what was not checked, or was refused for the account', async () => {
    const budget = await open();
    for (let n = 0; n < 10; n++) {
      await budget.spend(guess(`busy-${n}`));
      await budget.unchecked(guess(`busy-${n}`));
    }
    for (let n = 0; n < 3; n++) await budget.spend(guess('locked', '10.0.0.2'));
    for (let n = 0; n < 10; n++)
      await expect(budget.spend(guess('locked'))).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(budget.spend(guess('ann'))).resolves.toBeUndefined();
  });

  it('accepts no password while Redis is unavailable; tokens still work', async () => {
    const budget = await open();
    await server.stop();
    await expect(budget.spend(guess('ann'))).rejects.toMatchObject({ kind: 'unavailable' });
    await budget.unchecked(guess('ann'));
    await budget.assertAddress('10.0.0.1');
    await budget.countAddress('10.0.0.1');
  });
});
