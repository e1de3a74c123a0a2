/** Redis as operators run it: behind Sentinels, and as a cluster, which is refused. */
import { startConfiguredRedis, startWatchedRedis } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { IS_CLUSTER } from './fault.ts';
import {
  duplicateForBlocking,
  openRedis,
  pingRedis,
  primaryOf,
  redisAnswers,
  redisReady,
  refuseCluster,
} from './redis.ts';
import { readRedisUrl } from './url.ts';

it('follows the primary that Sentinels name, also with a subscription, when another takes over', async () => {
  await using watched = await startWatchedRedis();
  const target = readRedisUrl(watched.url);
  if (target.kind !== 'sentinels') throw new Error('no Sentinels');
  const redis = openRedis(watched.url, { mode: 'patient' });
  const blocking = duplicateForBlocking(redis);
  const sentinel = openRedis(watched.sentinel.url, { mode: 'patient' });
  await redisReady(redis);
  expect(await redisAnswers(watched.url)).toBe(true);
  const before = await primaryOf(target);
  expect(`${before.host}:${before.port}`).toBe(watched.servers[0].host);

  const message = new Promise((resolve) => blocking.on('message', (_, text) => resolve(text)));
  await blocking.subscribe('news');
  await redis.set('kept', 'yes');
  // A failover loses what no replica has yet.
  expect(await redis.call('WAIT', 1, 20_000)).toBe(1);
  await expect
    .poll(() => sentinel.call('SENTINEL', 'failover', target.name).catch(() => 'not yet'))
    .toBe('OK');
  await expect
    .poll(async () => (await primaryOf(target)).port)
    .toBe(Number(new URL(watched.servers[1].url).port));
  await expect.poll(() => pingRedis(redis).then(() => 'writes', String)).toBe('writes');
  expect(await redis.get('kept')).toBe('yes');
  await expect.poll(() => redis.publish('news', 'of the new one')).toBe(1);
  expect(await message).toBe('of the new one');
  for (const each of [redis, blocking, sentinel]) each.disconnect();
});

it('says whether no Sentinel answers, or none knows the name', async () => {
  await using watched = await startWatchedRedis();
  const why = async (url: string) => {
    const redis = openRedis(url, { mode: 'fail-fast' });
    const reason = redisReady(redis, 1_500).catch(String);
    const said = await reason;
    redis.disconnect();
    return said;
  };
  expect(await why(watched.url.replace('/main/', '/other/'))).toContain(
    'the Sentinels know no primary by the name in REDIS_URL',
  );
  expect(await why('redis+sentinel://127.0.0.1:1,127.0.0.1:2/main')).toContain(
    'no Sentinel that REDIS_URL names answers',
  );
});

it('refuses a node of a cluster', async () => {
  await using cluster = await startConfiguredRedis(['cluster-enabled yes']);
  const redis = openRedis(cluster.url, { mode: 'fail-fast' });
  await expect(refuseCluster(redis)).rejects.toMatchObject({ code: 'REDIS_CLUSTER' });
  await expect(pingRedis(redis)).rejects.toMatchObject({
    message: expect.stringContaining(IS_CLUSTER),
  });
  redis.disconnect();
});
