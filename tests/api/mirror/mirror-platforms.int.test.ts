/**
 * A mirror with platforms: the index is the publisher's, and what it lists is brought in when it is
 * asked for. What is not here is neither clean nor broken, and not served.
 */
import {
  buildIndex,
  eventually,
  fetchManifest,
  json,
  pushImage,
  refusal,
} from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  digestIn,
  read,
  site,
  startPlatforms,
  statusOf,
} from './mirror-platforms.fixture.ts';
import { messageOf } from './mirror-site.ts';

startPlatforms();

/** Whether the built-in registry has it, whatever its doors say. */
const isStored = async (place: string, { digest }: { digest: string }) =>
  (await fetchManifest(site.api.registry.url, `some/${place}`, digest)).status === 200;

describe('an index', () => {
  it('has the digest of its publisher, with the platforms of the mirror alone', async () => {
    const index = await site.publishIndex('lib/first', '1');
    const { amd64, arm64 } = childrenOf(index);
    for (const method of ['HEAD', 'GET']) {
      const served = await read('lib/first', '1', { method });
      expect([served.status, digestIn(served)]).toEqual([200, index.digest]);
    }
    expect(await isStored('lib/first', amd64)).toBe(true);
    expect(await isStored('lib/first', arm64)).toBe(false);
    await site.due();
    const again = await read('lib/first', '1');
    expect([digestIn(again), again.headers.get('warning')]).toEqual([index.digest, null]);
    expect(await site.jobsOf('lib/first')).toHaveLength(1);
  });

  it('that is asked for by its digest is the same', async () => {
    const index = await site.publishIndex('lib/pinned', '1');
    expect(await statusOf('lib/pinned', index.digest)).toBe(200);
    expect(await isStored('lib/pinned', childrenOf(index).arm64)).toBe(false);
  });

  it('that has none of the platforms is brought in whole, as is a single image', async () => {
    await site.mirror('none', { platforms: ['windows/amd64'] });
    const { digest, children } = await site.publishIndex('lib/none', '1');
    const single = await site.publish('lib/none', 'single', 'clean');
    for (const [reference, expected] of [
      ['1', digest],
      ['single', single.digest],
    ])
      expect(digestIn(await site.read(`none/lib/none/manifests/${reference}`))).toBe(expected);
    site.upstream.seen.length = 0;
    for (const child of children)
      expect((await site.read(`none/lib/none/manifests/${child.digest}`)).status).toBe(200);
    expect(site.upstream.seen).toEqual([]);
  });
});

describe('a platform that is not here', () => {
  it('is refused with its reason, without a byte, while the other one is served', async () => {
    const index = await site.publishIndex('lib/half', '1', ['clean', 'flawed']);
    const { amd64, arm64 } = childrenOf(index);
    expect(await statusOf('lib/half', '1')).toBe(200);
    const shown = async () => {
      const place = 'repository=some/lib/half&tag=1';
      const detail = await json(site.admin.get(`/api/images/__local__/tags/detail?${place}`));
      return [detail.platforms, detail.absent_platforms];
    };
    const [here, there] = [{ digest: amd64.digest }, { digest: arm64.digest }];
    expect(await shown()).toMatchObject([[here], [{ ...there, state: 'absent', error: null }]]);
    for (const by of ['dev', 'root']) {
      const refused = await read('lib/half', arm64.digest, { by });
      expect([refused.status, await messageOf(refused)]).toEqual([
        403,
        expect.stringMatching(/^Blocked by policy "default": .*openssl/),
      ]);
    }
    expect(await statusOf('lib/half', arm64.digest, { method: 'HEAD' })).toBe(403);
    const shared = new Set(amd64.blobs.map(({ descriptor }) => descriptor.digest));
    for (const { descriptor } of arm64.blobs.filter(
      ({ descriptor: { digest } }) => !shared.has(digest),
    ))
      expect(
        (await site.read(`some/lib/half/blobs/${descriptor.digest}`, { by: 'root' })).status,
      ).toBe(404);
    expect(await isStored('lib/half', arm64)).toBe(false);
    const refused = { state: 'refused', error: { code: 'VULN_BLOCKED' } };
    expect(await shown()).toMatchObject([[here], [{ ...there, ...refused }]]);
    const place = 'repository=some/lib/half&from=1&to=1&platform=linux/arm64';
    const compared = await site.admin.get(`/api/images/__local__/compare?${place}`);
    expect([compared.status, (await refusal(compared)).code]).toEqual([409, 'PLATFORM_ABSENT']);
    for (const reference of ['1', amd64.digest])
      expect(await statusOf('lib/half', reference)).toBe(200);
  });

  it('is not brought in for an account that may not, and says who may', async () => {
    const { arm64 } = childrenOf(await site.publishIndex('lib/rights', '1'));
    await read('lib/rights', '1');
    const refused = await read('lib/rights', arm64.digest, { by: 'reader' });
    expect([refused.status, await messageOf(refused)]).toEqual([
      404,
      'this image is not here; accounts with can_pull_external on the folder some may bring it in',
    ]);
    expect(await isStored('lib/rights', arm64)).toBe(false);
  });

  it('is not served from another folder, whatever an index of its upstream names', async () => {
    const { amd64, arm64: named } = childrenOf(await site.publishIndex('lib/other', '1'));
    await pushImage(site.api.registry.url, 'secret/app', '1', named);
    const index = buildIndex([amd64, named]);
    await pushImage(site.origin.url, 'lib/naming', '1', { ...index, children: [amd64] });
    expect(digestIn(await read('lib/naming', '1'))).toBe(index.digest);
    for (const by of ['dev', 'root'])
      expect(await statusOf('lib/naming', named.digest, { by })).toBe(404);
    expect(await isStored('lib/naming', named)).toBe(false);
  });

  it('is 503 with the words of an upstream that is down, and what is here is served', async () => {
    const { amd64, arm64 } = childrenOf(await site.publishIndex('lib/down', '1'));
    await read('lib/down', '1');
    const body = JSON.stringify({ errors: [{ code: 'X', message: 'come back on Monday' }] });
    site.upstream.behaviour = {
      answer: () => ({ status: 500, body, headers: { 'content-type': 'application/json' } }),
    };
    const away = await read('lib/down', arm64.digest);
    expect([away.status, await messageOf(away)]).toEqual([
      503,
      expect.stringContaining('come back on Monday'),
    ]);
    for (const reference of ['1', amd64.digest])
      expect(await statusOf('lib/down', reference)).toBe(200);
  });
});

describe('with an index whose platforms are not all here', () => {
  it('a copy is of the chosen platforms, or says which one is not here', async () => {
    await site.publishIndex('lib/copied', '1');
    await read('lib/copied', '1');
    const order = { image: 'some/lib/copied', tag: '1', source_registry_id: '__local__' };
    const stage = async (more: object) => {
      const { job_id } = await json(site.admin.post('/api/staging/pull', { ...order, ...more }));
      const job = () => json(site.admin.get(`/api/staging/jobs/${job_id}`));
      return eventually(job, ({ status }) => status === 'failed' || status === 'staged');
    };
    expect(await stage({})).toMatchObject({
      status: 'failed',
      error: { code: 'PLATFORM_ABSENT', message: expect.stringContaining('linux/arm64') },
    });
    expect(await stage({ platforms: ['linux/amd64'] })).toMatchObject({ status: 'staged' });
    const copied = await site.admin.post('/api/images/copy', {
      ...{ source_repository: 'some/lib/copied', source_tag: '1' },
      ...{ dest_repository: 'copied/app' },
    });
    expect([copied.status, (await refusal(copied)).code]).toEqual([409, 'PLATFORM_ABSENT']);
  });
});
