/** N2: workers of one DATA_DIR know what the others promised their pulls. */
import { createLogger, openRedis } from '@portcullis/runtime';
import { startRedis } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { workerPromises } from './worker-promises.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const waiting = [{ jobId: 'j', createdAt: 1, bytes: 2, refusedAt: 3 }];

it('each hears what the others of its DATA_DIR tell, until they stop or die', async () => {
  const server = await startRedis();
  const redis = openRedis(server.url, { mode: 'patient' });
  onTestFinished(async () => {
    redis.disconnect();
    await server.stop();
  });
  const worker = (storageId: string, workerId: string) =>
    workerPromises(redis, { storageId, workerId, log });
  const [one, other, elsewhere] = [worker('s', 'w1'), worker('s', 'w2'), worker('t', 'w3')];
  expect(await one.exchange({ promised: 5, waiting })).toEqual([]);
  expect(await other.exchange({ promised: 7, waiting: [] })).toEqual([{ promised: 5, waiting }]);
  expect(await one.exchange({ promised: 1, waiting: [] })).toEqual([{ promised: 7, waiting: [] }]);
  expect(await elsewhere.exchange({ promised: 9, waiting: [] })).toEqual([]);
  await other.stop();
  expect(await one.exchange({ promised: 1, waiting: [] })).toEqual([]);
  // The line of a worker that died.
  await redis.hset(
    'portcullis:pull-room:s',
    'w4',
    `${Date.now() - 1_000} {"promised":3,"waiting":[]}`,
  );
  expect(await one.exchange({ promised: 1, waiting: [] })).toEqual([]);
  expect(await redis.hkeys('portcullis:pull-room:s')).toEqual(['w1']);
});
