/**
 * A mirror for many clients at once, with a cooldown, and of upstreams that limit, refuse or are
 * silent.
 */
import { json } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterCheck, digestIn, reads, site, startMirrors, whyNot } from './mirror.fixture.ts';
import { messageOf } from './mirror-site.ts';

startMirrors();

const warningOf = async (path: string) => (await afterCheck(path)).headers.get('warning');

describe('an image that was never pulled', () => {
  it('is brought in once for 200 clients of two processes, with one download of each blob', async () => {
    const { digest } = await site.publish('lib/many', '1', 'clean');
    const clients = Array.from({ length: 200 }, (_, nth) =>
      site.read('up/lib/many/manifests/1', {
        ...{ from: nth % 2 ? site.second : site.api, method: nth % 3 ? 'GET' : 'HEAD' },
        by: nth % 5 ? 'dev' : 'root',
      }),
    );
    const replies = await Promise.all(clients);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(digestIn))).toEqual(new Set([digest]));
    expect(await site.jobsOf('lib/many')).toHaveLength(1);
    const blobs = site.upstream.blobGets().filter(({ path }) => path.startsWith('/v2/lib/many/'));
    expect(new Set(blobs.map(({ path }) => path)).size).toBe(blobs.length);
  });
});

describe('a mirror with a cooldown', () => {
  /** As if all that was seen of a repository had been seen so many hours before. */
  const pass = (repository: string, hours: number) =>
    site.sql.query(
      `UPDATE sightings SET first = first - $2 * interval '1 hour' WHERE repository LIKE '%/' || $1`,
      [repository, hours],
    );
  const jobsPass = (repository: string, hours: number) =>
    site.sql.query(
      `UPDATE staging_jobs SET sighted_at = sighted_at - $2 * interval '1 hour' WHERE image = $1`,
      [repository, hours],
    );
  const wait = (repository: string, hours: number) =>
    Promise.all([pass(repository, hours), jobsPass(repository, hours)]);
  const settledJobs = (repository: string, count: number) =>
    expect
      .poll(async () => (await site.jobsOf(repository)).map(({ status }) => status))
      .toEqual(Array(count).fill(expect.stringMatching(/^(pushed|failed)$/)));

  beforeAll(async () => {
    await site.mirror('patient');
    await site.usePolicy('patient', { rules: [], minAgeHours: 48, graceDays: 0 });
  });

  it('goes on serving the last good image, and takes the newest one that is old enough', async () => {
    const first = await site.publish('lib/daily', '1', 'clean');
    await site.read('patient/lib/daily/manifests/1');
    await settledJobs('lib/daily', 1);
    await wait('lib/daily', 48);
    const path = 'patient/lib/daily/manifests/1';
    await expect.poll(() => reads(path)).toEqual([200, first.digest, false]);
    const second = await site.publish('lib/daily', '1', 'clean');
    await expect.poll(() => reads(path)).toEqual([200, first.digest, true]);
    await settledJobs('lib/daily', 3);
    expect(await warningOf(path)).toContain(second.digest);
    const shown = async () =>
      (await json(site.admin.get('/api/folders/patient/mirror/tags?q=daily'))).items;
    const until = expect.stringMatching(/^20\d\d-/);
    await expect.poll(shown).toMatchObject([
      {
        ...{ state: 'behind', digest: first.digest, upstream_digest: second.digest },
        ...{ waits_until: until, next_at: until, error: { code: 'TOO_YOUNG' } },
      },
    ]);
    await wait('lib/daily', 24);
    const third = await site.publish('lib/daily', '1', 'clean');
    // An answer of a second ago names the second one.
    await expect.poll(() => warningOf(path)).toContain(third.digest);
    await settledJobs('lib/daily', 4);
    await wait('lib/daily', 24);
    await expect.poll(() => reads(path)).toEqual([200, second.digest, true]);
    await expect.poll(shown).toMatchObject([
      {
        ...{ state: 'behind', digest: second.digest, upstream_digest: third.digest },
        ...{ ripe_digest: second.digest, waits_until: until, error: { code: 'TOO_YOUNG' } },
      },
    ]);
    await wait('lib/daily', 24);
    await expect.poll(() => reads(path)).toEqual([200, third.digest, false]);
    await expect.poll(shown).toMatchObject([{ state: 'current', waits_until: null, error: null }]);
  });
});

describe('an upstream', () => {
  const words = JSON.stringify({ errors: [{ code: 'X', message: 'come back on Monday' }] });
  const says = (status: number) => () => ({
    status,
    body: words,
    headers: { 'content-type': 'application/json' },
  });
  it.each([
    ['that limits', { answer: says(429) }],
    ['that wants a login', { answer: says(401) }],
    ['that refuses', { answer: says(403) }],
    ['that is broken', { answer: says(500) }],
    ['that is away', { lose: () => 'request' as const }],
    ['that is silent', { delayMs: 12_000 }],
  ])(
    '%s leaves what is here, and is no reason to say that there is nothing',
    async (name, behaviour) => {
      const repository = `lib/f-${name.replaceAll(' ', '-')}`;
      const { digest } = await site.publish(repository, '1', 'clean');
      expect((await site.read(`up/${repository}/manifests/1`)).status).toBe(200);
      site.upstream.behaviour = behaviour;
      await expect.poll(() => reads(`up/${repository}/manifests/1`)).toEqual([200, digest, true]);
      const unknown = await site.read(`up/${repository}/manifests/2`);
      expect(unknown.status).toBe(503);
      const message = await messageOf(unknown);
      if ('answer' in behaviour) expect(message).toContain('come back on Monday');
      const why = await whyNot(`up/${repository}`, '2');
      expect([why.status, why.code]).toEqual([404, 'MIRROR_UPSTREAM']);
    },
  );
});
