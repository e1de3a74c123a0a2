/** Pulls from sources with faults. */
import { recent } from '@portcullis/events';
import { pushImage, randomImage, startRegistry, type TestImage } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { harness, isBlob, pullThrough, source, startFaulty, worker } from './faults.fixture.ts';
import { startProxy } from './proxy.ts';

startFaulty();

const layerOf = ({ blobs }: TestImage) => blobs.at(-1)?.descriptor.digest ?? '';

const UNAUTHENTICATED: Record<string, string> = { 'www-authenticate': 'Basic realm="r"' };

/** All keys of Redis, except counters. */
async function redisText(): Promise<string> {
  const { redis } = harness;
  const texts = (await redis.keys('*')).map(async (key) => {
    const type = await redis.type(key);
    if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
    if (type === 'stream') return JSON.stringify(await redis.xrange(key, '-', '+'));
    return type === 'string' ? await redis.get(key) : key;
  });
  return (await Promise.all(texts)).join('\n');
}

it('429: waits for Retry-After, then continues', async () => {
  let refused = 0;
  const { job, through, image } = await pullThrough(() => ({
    answer: (seen) =>
      isBlob(seen) && refused++ < 2 ? { status: 429, headers: { 'retry-after': '1' } } : null,
  }));
  expect(job).toMatchObject({ status: 'staged', digest: image.digest });
  const [first, ...later] = through.blobGets();
  const sameBlob = later.find(({ path }) => path === first?.path);
  expect((sameBlob?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(900);
});

it('temporary 500: retried', async () => {
  let failed = 0;
  const { job } = await pullThrough(() => ({
    answer: (seen) => (isBlob(seen) && failed++ < 3 ? { status: 500 } : null),
  }));
  expect(job.status).toBe('staged');
});

it('a blob that is cut in the middle: only the rest is requested', async () => {
  let cuts = 0;
  const { job, through, image } = await pullThrough((made) => ({
    cutAfter: ({ path, method }) =>
      method === 'GET' && path.endsWith(layerOf(made)) && cuts++ === 0 ? 200_000 : null,
  }));
  expect(job.status).toBe('staged');
  const gets = through.blobGets().filter(({ path }) => path.endsWith(layerOf(image)));
  expect(gets[0]?.range).toBe(null);
  expect(gets[1]?.range).toMatch(/^bytes=[1-9]\d*-/);
  expect(gets.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(420_000);
});

it('bytes that do not match the digest: failed at once, and none of them is kept', async () => {
  const { job, through, image } = await pullThrough((made) => ({
    falsify: ({ path }) => path.endsWith(layerOf(made)),
  }));
  expect(job).toMatchObject({
    status: 'failed',
    error: { code: 'DIGEST_MISMATCH', side: 'source', retryable: false },
  });
  expect(job.attempts).toBe(1);
  through.behaviour = {};
  const again = await harness.submit({ image: job.image, tag: '1', host: through.host });
  expect(await harness.settled(again.id)).toMatchObject({ status: 'staged', digest: image.digest });
});

it('a manifest that does not match the requested digest: failed at once', async () => {
  const { job } = await pullThrough(() => ({
    falsify: ({ path, method }) => method === 'GET' && path.includes('/manifests/'),
  }));
  expect(job).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: { side: 'source', retryable: false },
  });
});

it('a redirect to another host: followed, without the credentials', async () => {
  const elsewhere = await startProxy(source.url);
  onTestFinished(() => elsewhere[Symbol.asyncDispose]());
  const image = await randomImage({ bytes: 100_000 });
  await pushImage(source.url, 'team/moved', '1', image);
  const through = await startProxy(source.url, {
    answer: (seen) => {
      if (seen.authorization === null) return { status: 401, headers: UNAUTHENTICATED };
      const headers: Record<string, string> = { location: `${elsewhere.url}${seen.path}` };
      return isBlob(seen) ? { status: 307, headers } : null;
    },
  });
  onTestFinished(() => through[Symbol.asyncDispose]());
  const credentials = { username: 'u', password: 'sesame' };
  const job = await harness.submit({
    image: 'team/moved',
    tag: '1',
    host: through.host,
    sourceCredentials: credentials,
  });
  expect(await harness.settled(job.id)).toMatchObject({ status: 'staged' });
  expect(elsewhere.blobGets()).toHaveLength(image.blobs.length);
  expect(elsewhere.seen.filter(({ authorization }) => authorization !== null)).toEqual([]);
});

it('a redirect to one of our internal services: refused', async () => {
  const { job } = await pullThrough(() => ({
    answer: (seen) =>
      isBlob(seen)
        ? { status: 307, headers: { location: `${harness.registry.url}${seen.path}` } }
        : null,
  }));
  expect(job).toMatchObject({ status: 'failed', error: { code: 'EGRESS_OWN_SERVICE' } });
});

it.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not found'],
])('%i (%s): failed at once', async (status) => {
  const { job } = await pullThrough(() => ({ answer: () => ({ status }) }));
  expect(job).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: { side: 'source', retryable: false },
  });
});

it('a wrong password never appears in the row, the queue or the log', async () => {
  const registry = await startRegistry({ auth: 'basic' });
  onTestFinished(registry.stop);
  const credentials = { username: 'tester', password: 'not-the-password' };
  const basic = Buffer.from(`tester:${credentials.password}`).toString('base64');
  const job = await harness.submit({
    image: 'a/b',
    tag: '1',
    host: registry.host,
    sourceCredentials: credentials,
  });
  const failed = await harness.settled(job.id);
  expect(failed).toMatchObject({ status: 'failed', error: { retryable: false } });
  // The row comes first.
  const auditedIds = async () => (await recent(harness.redis)).map(({ resource }) => resource?.id);
  await expect.poll(auditedIds).toContain(job.id);
  await expect.poll(() => worker.lines.join('\n')).toContain(job.id);
  const everywhere = [JSON.stringify(failed), worker.lines.join('\n'), await redisText()];
  for (const text of everywhere) {
    expect(text).toContain(job.id);
    expect(text).not.toContain(credentials.password);
    expect(text).not.toContain(basic);
  }
});
