/** Platforms of a mirror for many clients, with garbage, quotas and reports. */
import { eventually, type TestImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  blobs,
  childrenOf,
  digestIn,
  read,
  site,
  startPlatforms,
  statusOf,
} from './mirror-platforms.fixture.ts';
import { messageOf } from './mirror-site.ts';

startPlatforms();

const collect = async () => {
  const { maintenance } = site.api.store;
  await maintenance.request({ kind: 'gc', options: { deleteUntagged: true }, requestedBy: 'root' });
  const run = await eventually(
    () => maintenance.latest('gc'),
    (latest) => latest?.state === 'done' || latest?.state === 'failed',
  );
  expect(run?.error).toBeNull();
};

describe('a platform that is not here', () => {
  it('is brought in by its first pull, for 50 clients of two processes by one job', async () => {
    const index = await site.publishIndex('lib/many', '1');
    const { arm64 } = childrenOf(index);
    await read('lib/many', '1');
    site.upstream.seen.length = 0;
    const clients = Array.from({ length: 50 }, (_, nth) =>
      read('lib/many', arm64.digest, {
        ...{ from: nth % 2 ? site.second : site.api, method: nth % 3 ? 'GET' : 'HEAD' },
        by: nth % 5 ? 'dev' : 'root',
      }),
    );
    const replies = await Promise.all(clients);
    expect(new Set(replies.map((reply) => `${reply.status} ${digestIn(reply)}`))).toEqual(
      new Set([`200 ${arm64.digest}`]),
    );
    expect(await site.jobsOf('lib/many', arm64.digest)).toMatchObject([{ status: 'pushed' }]);
    const paths = blobs('lib/many').map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    site.upstream.seen.length = 0;
    for (const by of ['reader', 'dev']) {
      expect(await statusOf('lib/many', arm64.digest, { by })).toBe(200);
      for (const { descriptor } of arm64.blobs)
        expect((await site.read(`some/lib/many/blobs/${descriptor.digest}`, { by })).status).toBe(
          200,
        );
    }
    expect(site.upstream.seen).toEqual([]);
  });
});

describe('with an index whose platforms are not all here', () => {
  it('garbage is collected, and a platform that came later stays', async () => {
    const index = await site.publishIndex('lib/garbage', '1');
    const { amd64, arm64 } = childrenOf(index);
    await read('lib/garbage', '1');
    await collect();
    expect(await statusOf('lib/garbage', arm64.digest)).toBe(200);
    await collect();
    site.upstream.behaviour = { lose: () => 'request' as const };
    for (const { digest } of [index, amd64, arm64])
      expect(await statusOf('lib/garbage', digest)).toBe(200);
  });

  it('a quota counts what is here, and a full folder refuses another platform', async () => {
    await site.mirror('tight', { platforms: ['linux/amd64'] });
    const index = await site.publishIndex('lib/quota', '1');
    const { amd64, arm64 } = childrenOf(index);
    expect((await site.read('tight/lib/quota/manifests/1')).status).toBe(200);
    const sizeOf = ({ bytes, blobs: parts }: TestImage) =>
      parts.reduce((sum, { descriptor: { size } }) => sum + size, bytes.length);
    const used = () => site.api.store.folderContents.used('tight');
    expect(await used()).toBe(index.bytes.length + sizeOf(amd64));
    const full = { quota_bytes: await used() };
    expect((await site.admin.patch('/api/folders/tight', full)).status).toBe(200);
    const path = `tight/lib/quota/manifests/${arm64.digest}`;
    const refused = await site.read(path);
    expect([refused.status, await messageOf(refused)]).toEqual([
      403,
      expect.stringContaining('the image was not brought in'),
    ]);
    expect((await site.read('tight/lib/quota/manifests/1')).status).toBe(200);
  });

  it('the report of the index covers a platform as soon as it is here', async () => {
    const index = await site.publishIndex('lib/report', '1');
    const { amd64, arm64 } = childrenOf(index);
    await read('lib/report', '1');
    const parts = async () =>
      (await site.sql.query('SELECT parts FROM image_reports WHERE digest = $1', [index.digest]))
        .rows[0]?.parts;
    expect(await parts()).toEqual([amd64.digest]);
    await read('lib/report', arm64.digest);
    await expect
      .poll(async () => (await parts()).toSorted())
      .toEqual([amd64.digest, arm64.digest].toSorted());
  });
});
