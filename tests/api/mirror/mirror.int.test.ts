/**
 * A folder that mirrors a registry, with real clients, scans and processes. Each fault is of a
 * public report about a proxy: upstreams that are down, refuse or limit (goharbor/harbor #18270,
 * #14822, #19257), tags that the upstream has removed (goharbor/harbor #22153), first pulls that
 * no gate sees (goharbor/harbor #13242, #22049), pulls by digest that ask the upstream
 * (rpardini/docker-registry-proxy #35), one download for each client (project-zot/zot #3129),
 * tags that never move (getnora-io/nora #638), HEAD that is not GET (goharbor/harbor #13153),
 * replies without a digest (quay/quay #1310), short names of Docker Hub (goharbor/harbor #13733)
 * and one login for all (distribution/distribution #4281).
 */
import { OCI_CONFIG } from '@portcullis/oci';
import {
  buildArtifact,
  buildIndex,
  json,
  pushImage,
  skopeo,
  startRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { published } from '../../../apps/api/src/api.fixture.ts';
import { type Seen, startProxy } from '../../worker/proxy.ts';
import { digestIn, reads, site, startMirrors, whyNot } from './mirror.fixture.ts';
import { METRICS_TOKEN, messageOf } from './mirror-site.ts';

startMirrors();

const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

const asked = (repository: string) =>
  site.upstream.seen.filter(({ path }) => path.startsWith(`/v2/${repository}/`));

describe('an image that was never pulled', () => {
  it('is served once it passed its scan, to HEAD as to GET, and then to all who may pull', async () => {
    const { digest, blobs } = await site.publish('lib/new', '1', 'clean');
    const head = await site.read('up/lib/new/manifests/1', { method: 'HEAD' });
    expect([head.status, digestIn(head)]).toEqual([200, digest]);
    site.upstream.seen.length = 0;
    for (const by of ['dev', 'reader', 'root'])
      for (const reference of ['1', digest])
        expect((await site.read(`up/lib/new/manifests/${reference}`, { by })).status).toBe(200);
    for (const { descriptor } of blobs)
      expect((await site.read(`up/lib/new/blobs/${descriptor.digest}`)).status).toBe(200);
    expect(site.upstream.seen).toEqual([]);
    expect(await site.jobsOf('lib/new')).toMatchObject([{ status: 'pushed' }]);
    const events = await published(site.api, 50);
    expect(events.find(({ event }) => event === 'mirror.bring_in')).toMatchObject({
      actor: { name: 'dev' },
      resource: { id: digest, name: 'up/lib/new', folder: 'up' },
      detail: { reference: '1' },
    });
    const sighting = { repository: 'up/lib/new', tag: '1', digest };
    expect(await site.api.store.sightings.find(sighting)).not.toBeNull();
    const inUse = { repository: 'up/lib/new', digest };
    await expect.poll(() => site.api.store.imagesInUse.all()).toContainEqual(inUse);
  });

  it('is pulled by skopeo as it is at the upstream', async () => {
    const { digest } = await site.publish('lib/skopeo', '1', 'clean');
    await using dir = await temporaryDir();
    const from = ['--src-tls-verify=false', '--src-creds', 'dev:pass-of-dev'];
    const name = `docker://${site.api.host}/up/lib/skopeo`;
    await skopeo('copy', ...from, `${name}:1`, `dir:${dir.path}`);
    const shown = await skopeo(
      'inspect',
      '--tls-verify=false',
      '--creds',
      'reader:pass-of-reader',
      `${name}:1`,
    );
    expect(JSON.parse(shown).Digest).toBe(digest);
  });

  it('is refused with its reason where the policy blocks it, and is brought in once it passes', async () => {
    await site.mirror('strict');
    const { digest } = await site.publish('lib/flawed', '1', 'flawed');
    const refused = await site.read('strict/lib/flawed/manifests/1');
    expect(refused.status).toBe(403);
    expect(await messageOf(refused)).toMatch(
      /^Blocked by policy "default": .*openssl.*\. The mirror strict tries it again at a pull after \S+ \S+ UTC, or once a waiver .*Details: .*\/folders\/strict\/mirror$/,
    );
    const head = await site.read('strict/lib/flawed/manifests/1', { method: 'HEAD' });
    expect([head.status, head.headers.get('warning')]).toEqual([
      403,
      expect.stringContaining('openssl'),
    ]);
    expect(
      (await site.read(`strict/lib/flawed/manifests/${digest}`, { by: 'reader' })).status,
    ).toBe(404);
    const [job] = await site.jobsOf('lib/flawed');
    expect(job).toMatchObject({ status: 'failed' });
    const listed = { repository: 'strict/lib/flawed', tag: '1', state: 'refused', digest: null };
    const why = { upstream_digest: digest, error: { code: 'VULN_BLOCKED' } };
    const asReader = await site.api.as('reader');
    for (const [client, job_id] of [
      [site.admin, job?.id],
      [asReader, null],
    ] as const)
      expect((await json(client.get('/api/folders/strict/mirror/tags'))).items).toMatchObject([
        { ...listed, ...why, job_id },
      ]);
    await site.usePolicy('strict', { rules: [] });
    await expect
      .poll(async () => (await site.read('strict/lib/flawed/manifests/1')).status)
      .toBe(200);
  });

  it('is scanned again a minute after a scan that failed, and is told why it did', async () => {
    const config = { mediaType: OCI_CONFIG, bytes: Buffer.from('{"rootfs":{"diff_ids":["x"]}}') };
    const layers = [{ mediaType: OCI_LAYER, bytes: Buffer.from('1f8b0800', 'hex') }];
    await pushImage(site.origin.url, 'lib/broken', '1', buildArtifact({ config, layers }));
    const refused = await site.read('up/lib/broken/manifests/1');
    expect([refused.status, await messageOf(refused)]).toEqual([
      403,
      expect.stringMatching(/: the scan failed\. The scan said: .+\. The mirror up tries it again/),
    ]);
    await (await site.read('up/lib/broken/manifests/1')).body?.cancel();
    expect(await site.jobsOf('lib/broken')).toHaveLength(1);
    await site.sql.query(
      `UPDATE staging_jobs SET updated_at = now() - interval '61 seconds' WHERE image = 'lib/broken'`,
    );
    await (await site.read('up/lib/broken/manifests/1')).body?.cancel();
    expect(await site.jobsOf('lib/broken')).toHaveLength(2);
  });

  it('is refused to an administrator as well, who may let other pushes pass', async () => {
    await site.publish('lib/privileged', '1', 'flawed');
    const refused = await site.read('up/lib/privileged/manifests/1', { by: 'root' });
    expect(refused.status).toBe(403);
    expect(await site.jobsOf('lib/privileged')).toMatchObject([{ status: 'failed' }]);
  });

  it('is counted by its registry, as are the questions to it', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${site.api.url}/metrics`, { headers })).text();
    const registry = `registry="${site.upstream.host}"`;
    for (const [name, outcome] of [
      ['checks', 'answered'],
      ['pulls', 'served'],
      ['pulls', 'refused'],
    ])
      expect(text).toContain(`portcullis_mirror_${name}_total{${registry},outcome="${outcome}"}`);
  });

  it('is brought in by its digest', async () => {
    const { digest } = await site.publish('lib/digest', '1', 'clean');
    const read = await site.read(`up/lib/digest/manifests/${digest}`);
    expect([read.status, digestIn(read)]).toEqual([200, digest]);
    site.upstream.seen.length = 0;
    expect((await site.read(`up/lib/digest/manifests/${digest}`)).status).toBe(200);
    expect(site.upstream.seen).toEqual([]);
  });

  it('is brought in whole, with all its platforms and the digest that its publisher signs', async () => {
    const { digest, children } = await site.publishIndex('lib/index', '1');
    const read = await site.read('up/lib/index/manifests/1');
    expect([read.status, digestIn(read)]).toEqual([200, digest]);
    for (const child of children)
      expect((await site.read(`up/lib/index/manifests/${child.digest}`)).status).toBe(200);
  });

  it('is refused by a full folder, which goes on serving what it has', async () => {
    await site.mirror('full');
    await site.publish('lib/room', '1', 'clean');
    expect((await site.read('full/lib/room/manifests/1')).status).toBe(200);
    await site.admin.patch('/api/folders/full', { quota_bytes: 1 });
    await site.publish('lib/room', '2', 'clean');
    const refused = await site.read('full/lib/room/manifests/2');
    expect([refused.status, await messageOf(refused)]).toEqual([
      403,
      expect.stringContaining('the image was not brought in'),
    ]);
    expect((await site.read('full/lib/room/manifests/1')).status).toBe(200);
  });

  it('is brought in again after its tag was deleted', async () => {
    const { digest } = await site.publish('lib/deleted', '1', 'clean');
    await site.read('up/lib/deleted/manifests/1');
    const removed = await site.read('up/lib/deleted/manifests/1', { by: 'root', method: 'DELETE' });
    expect(removed.status).toBe(202);
    const readAgain = async () => digestIn(await site.read('up/lib/deleted/manifests/1'));
    await expect.poll(readAgain).toBe(digest);
    expect(await site.jobsOf('lib/deleted')).toHaveLength(2);
  });

  it('is not revealed to an account that may not bring it in', async () => {
    await site.publish('lib/other', '1', 'clean');
    site.upstream.seen.length = 0;
    const refused = await site.read('up/lib/other/manifests/1', { by: 'reader' });
    expect([refused.status, await messageOf(refused)]).toEqual([
      404,
      'this image is not here; accounts with can_pull_external on the folder up may bring it in',
    ]);
    expect(site.upstream.seen).toEqual([]);
  });

  it('is not asked for where the mirror does not bring in its repository', async () => {
    await site.mirror('some', { allow: ['allowed/*'] });
    await site.publish('other/app', '1', 'clean');
    site.upstream.seen.length = 0;
    expect((await site.read('some/other/app/manifests/1', { by: 'root' })).status).toBe(404);
    expect(site.upstream.seen).toEqual([]);
  });
});

describe('what a publisher attaches to an image', () => {
  const SIGNATURE = 'application/vnd.dev.sigstore.bundle.v0.3+json';

  it('after it was brought in is listed for accounts that may bring it in, and is brought in', async () => {
    const { descriptor, digest } = await site.publish('lib/signed', '1', 'clean');
    expect((await site.read('up/lib/signed/manifests/1')).status).toBe(200);
    const layers = [{ mediaType: SIGNATURE, bytes: Buffer.from('{"a":"signature"}') }];
    const signature = buildArtifact({ artifactType: SIGNATURE, layers, subject: descriptor });
    // The registry behind has no list of referrers: clients keep it under a tag.
    const entry = { ...signature.descriptor, artifactType: SIGNATURE };
    const list = buildIndex([{ ...signature, descriptor: entry }]);
    await pushImage(site.origin.url, 'lib/signed', digest.replace(':', '-'), list);
    const listed = async (by: string, query = '') => {
      const found = await site.read(`up/lib/signed/referrers/${digest}${query}`, { by });
      return (await found.json()).manifests;
    };
    expect(await listed('reader')).toEqual([]);
    expect(await listed('dev')).toMatchObject([entry]);
    expect(await listed('dev', '?artifactType=other/type')).toEqual([]);
    const manifest = await site.read(`up/lib/signed/manifests/${signature.digest}`);
    expect([manifest.status, digestIn(manifest)]).toEqual([200, signature.digest]);
    const blob = signature.blobs.at(-1)?.descriptor.digest;
    expect((await site.read(`up/lib/signed/blobs/${blob}`)).status).toBe(200);
    expect(await listed('reader')).toMatchObject([entry]);
  });

  it('under a tag, as cosign does, is brought in with its image', async () => {
    const { digest } = await site.publish('lib/tagged', '1', 'clean');
    expect((await site.read('up/lib/tagged/manifests/1')).status).toBe(200);
    const sign = async (text: string) => {
      const layers = [{ mediaType: 'application/json', bytes: Buffer.from(text) }];
      const signature = buildArtifact({ layers });
      await pushImage(site.origin.url, 'lib/tagged', `${digest.replace(':', '-')}.sig`, signature);
      return signature.digest;
    };
    const path = `up/lib/tagged/manifests/${digest.replace(':', '-')}.sig`;
    const first = await sign('{"a":"signature"}');
    expect(digestIn(await site.read(path))).toBe(first);
    const second = await sign('{"a":"second"}');
    await expect.poll(() => reads(path)).toEqual([200, second, false]);
  });
});

describe('a tag that moves at the upstream', () => {
  it('serves the last good image while the new one is blocked, and the better one after it', async () => {
    const good = await site.publish('lib/tag', '1', 'clean');
    expect(digestIn(await site.read('up/lib/tag/manifests/1'))).toBe(good.digest);
    const bad = await site.publish('lib/tag', '1', 'flawed');
    await expect.poll(() => reads('up/lib/tag/manifests/1')).toEqual([200, good.digest, true]);
    await expect
      .poll(async () => (await site.jobsOf('lib/tag')).map(({ status }) => status))
      .toEqual(['pushed', 'failed']);
    expect(await reads('up/lib/tag/manifests/1')).toEqual([200, good.digest, true]);
    const events = (await published(site.api, 100)).filter(
      ({ event, resource }) => event === 'mirror.last_good' && resource?.name === 'up/lib/tag',
    );
    expect(events.map(({ detail }) => detail)).toEqual([
      { tag: '1', because: 'other_digest', upstream_digest: bad.digest, code: 'VULN_BLOCKED' },
    ]);
    const better = await site.publish('lib/tag', '1', 'clean');
    await expect.poll(() => reads('up/lib/tag/manifests/1')).toEqual([200, better.digest, false]);
    expect((await site.read(`up/lib/tag/manifests/${good.digest}`, { by: 'reader' })).status).toBe(
      200,
    );
  });

  it('is brought in for the account of before where the caller may only pull', async () => {
    await site.publish('lib/behalf', '1', 'clean');
    await site.read('up/lib/behalf/manifests/1');
    const { digest } = await site.publish('lib/behalf', '1', 'clean');
    await expect
      .poll(async () => {
        await site.due();
        return digestIn(await site.read('up/lib/behalf/manifests/1', { by: 'reader' }));
      })
      .toBe(digest);
  });

  it('asks nothing where it is immutable here', async () => {
    await site.mirror('fixed');
    await site.admin.patch('/api/folders/fixed', { immutable_tags: ['1'] });
    const { digest } = await site.publish('lib/fixed', '1', 'clean');
    await site.read('fixed/lib/fixed/manifests/1');
    await site.publish('lib/fixed', '1', 'clean');
    site.upstream.seen.length = 0;
    expect(await reads('fixed/lib/fixed/manifests/1')).toEqual([200, digest, false]);
    expect(asked('lib/fixed')).toEqual([]);
  });

  it('costs the upstream one HEAD for each check', async () => {
    const { digest } = await site.publish('lib/check', '1', 'clean');
    await site.read('up/lib/check/manifests/1');
    site.upstream.seen.length = 0;
    await site.due();
    const readAll = () =>
      Promise.all(Array.from({ length: 10 }, () => site.read('up/lib/check/manifests/1')));
    const asks = async () => {
      expect((await readAll()).map(digestIn)).toEqual(Array(10).fill(digest));
      return asked('lib/check').map(({ method }) => method);
    };
    await expect.poll(asks).toEqual(['HEAD']);
    expect(await asks()).toEqual(['HEAD']);
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

  it('refuses what it sees for the first time, with the moment, and serves it after that', async () => {
    const { digest } = await site.publish('lib/fresh', '1', 'clean');
    const refused = await site.read('patient/lib/fresh/manifests/1');
    expect([refused.status, await messageOf(refused)]).toEqual([
      403,
      expect.stringMatching(
        /the image is too new here and waits until 20\d\d-\d\d-\d\d \d\d:\d\d UTC/,
      ),
    ]);
    await settledJobs('lib/fresh', 1);
    await wait('lib/fresh', 48);
    await expect.poll(() => reads('patient/lib/fresh/manifests/1')).toEqual([200, digest, false]);
  });
});

describe('what is not here', () => {
  const attempts = async (by: string) =>
    (await json((await site.api.as(by)).get('/api/folders/why/mirror'))).mirror.attempts;

  it('is explained as the client was told, with the job for its owner', async () => {
    await site.mirror('why');
    await site.publish('lib/why', 'bad', 'flawed');
    expect(await whyNot('why/lib/why', 'bad')).toMatchObject({ code: 'MIRROR_NOT_ASKED' });
    await (await site.read('why/lib/why/manifests/bad')).body?.cancel();
    const [job] = await site.jobsOf('lib/why');
    const refused = await whyNot('why/lib/why', 'bad');
    expect(refused).toMatchObject({ status: 404, code: 'MIRROR_REFUSED' });
    expect(refused.detail).toMatch(/There is no bad in why\/lib\/why: Blocked .*openssl/);
    expect(refused.detail).toContain(`Job: ${job?.id}`);
    await (await site.read('why/lib/why/manifests/none')).body?.cancel();
    expect(await whyNot('why/lib/why', 'none')).toMatchObject({ code: 'MIRROR_GONE' });
    expect(await whyNot('why/lib/why', 'bad', 'reader')).toMatchObject({
      code: 'MIRROR_FORBIDDEN',
    });
  });

  it('is on the page of the mirror, for the account that pulled and for administrators', async () => {
    site.upstream.behaviour = { lose: () => 'request' };
    await (await site.read('why/lib/away/manifests/1')).body?.cancel();
    const attempt = { repository: 'why/lib/away', reference: '1', account: 'dev', gone: false };
    for (const by of ['dev', 'root'])
      await expect.poll(() => attempts(by)).toContainEqual(expect.objectContaining(attempt));
    expect(await attempts('reader')).toEqual([]);
    site.upstream.behaviour = {};
    await site.publish('lib/away', '1', 'clean');
    await expect.poll(async () => (await site.read('why/lib/away/manifests/1')).status).toBe(200);
    expect(await attempts('dev')).not.toContainEqual(expect.objectContaining(attempt));
  });
});

describe('an upstream', () => {
  const words = JSON.stringify({ errors: [{ code: 'X', message: 'come back on Monday' }] });
  const says = (status: number) => () => ({
    status,
    body: words,
    headers: { 'content-type': 'application/json' },
  });

  it('that has no such tag is believed, and one that has removed it keeps the last good one', async () => {
    const { digest } = await site.publish('lib/gone', '1', 'clean');
    expect((await site.read('up/lib/gone/manifests/1')).status).toBe(200);
    expect((await site.read('up/lib/gone/manifests/nothing')).status).toBe(404);
    site.upstream.behaviour = { answer: says(404) };
    await expect.poll(() => reads('up/lib/gone/manifests/1')).toEqual([200, digest, true]);
    const { rows } = await site.sql.query(
      `SELECT count(*)::int AS n FROM mirror_tags WHERE reference = 'nothing'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it.each([
    ['refuses HEAD', 403],
    ['knows no tag by HEAD', 404],
  ])('that %s is asked with GET, for what is here as for what is not', async (_, status) => {
    const repository = `lib/headless-${status}`;
    const path = `up/${repository}/manifests/1`;
    const isHead = ({ method, path }: Seen) => method === 'HEAD' && path.includes('/manifests/');
    site.upstream.behaviour = { answer: (seen) => (isHead(seen) ? { status } : null) };
    const { digest } = await site.publish(repository, '1', 'clean');
    expect(digestIn(await site.read(path))).toBe(digest);
    const second = await site.publish(repository, '1', 'clean');
    await expect.poll(() => reads(path)).toEqual([200, second.digest, false]);
    expect((await site.read(`up/${repository}/manifests/2`)).status).toBe(404);
  });

  it('whose tag moves while its image is brought in, and that keeps no image without a tag, is asked again', async () => {
    const { digest, bytes, descriptor } = await site.publish('lib/races', '1', 'clean');
    const next = await site.publish('lib/races', '1', 'clean');
    const headers = {
      'docker-content-digest': digest,
      'content-type': descriptor.mediaType,
      'content-length': String(bytes.length),
    };
    let isFirst = true;
    site.upstream.behaviour = {
      answer({ method, path }) {
        if (path.endsWith(`/manifests/${digest}`)) return says(404)();
        const asksFirst = isFirst && method === 'HEAD' && path.endsWith('/lib/races/manifests/1');
        if (!asksFirst) return null;
        isFirst = false;
        return { status: 200, headers };
      },
    };
    const found = async () => digestIn(await site.read('up/lib/races/manifests/1'));
    // Clients that ask within a second get the same answer.
    await expect.poll(found).toBe(next.digest);
    expect(await site.jobsOf('lib/races')).toMatchObject([
      { status: 'failed' },
      { status: 'pushed' },
    ]);
  });

  it('that says no digest is read, and one that has another one than it says is not served', async () => {
    const { digest } = await site.publish('lib/silent', '1', 'clean');
    site.upstream.behaviour = {
      alter: (_, headers) => void delete headers['docker-content-digest'],
    };
    expect(digestIn(await site.read('up/lib/silent/manifests/1'))).toBe(digest);
    await site.publish('lib/liar', '1', 'clean');
    site.upstream.behaviour = {
      alter(_, headers) {
        if (headers['docker-content-digest'])
          headers['docker-content-digest'] = `sha256:${'0'.repeat(64)}`;
      },
    };
    const refused = await site.read('up/lib/liar/manifests/1');
    expect([404, 503]).toContain(refused.status);
  });

  it('is asked with the login of its mirror alone', async () => {
    const registry = await startRegistry({ auth: 'basic' });
    await using proxy = await startProxy(registry.url);
    try {
      const { credentials } = registry;
      const [open, closed] = [
        await site.saveRegistry(proxy.host, credentials),
        await site.saveRegistry(proxy.host),
      ];
      await site.mirror('with-login', { registry_id: open });
      await site.mirror('without-login', { registry_id: closed });
      expect((await site.read('with-login/lib/private/manifests/1')).status).toBe(404);
      expect((await site.read('without-login/lib/private/manifests/1')).status).toBe(503);
    } finally {
      await registry.stop();
    }
  });
});

describe('names', () => {
  it('of Docker Hub are short', async () => {
    await site.mirror('docker.io', { registry_id: null });
    const { digest } = await site.publish('library/nginx', '1', 'clean');
    for (const name of ['nginx', 'library/nginx'])
      expect(digestIn(await site.read(`docker.io/${name}/manifests/1`))).toBe(digest);
  });

  it('of a host lead to its mirror, as containerd asks', async () => {
    const { digest } = await site.publish('library/redis', '1', 'clean');
    const read = await site.read('library/redis/manifests/1?ns=docker.io');
    expect([read.status, digestIn(read)]).toEqual([200, digest]);
    expect((await site.read('library/redis/manifests/1?ns=quay.example.com')).status).toBe(403);
  });

  it('of tags are those here, and those of the upstream for accounts that may bring them in', async () => {
    await site.publish('lib/list', '1', 'clean');
    await site.publish('lib/list', '2', 'clean');
    await site.read('up/lib/list/manifests/1');
    const tags = async (by: string, query = '') =>
      (await json(site.read(`up/lib/list/tags/list${query}`, { by }))).tags;
    expect(await tags('reader')).toEqual(['1']);
    expect(await tags('dev')).toEqual(['1', '2']);
    expect(await tags('dev', '?n=1')).toEqual(['1']);
    expect(await tags('dev', '?n=5&last=1')).toEqual(['2']);
  });

  it('of tags are those that the upstream sent before it failed', async () => {
    await site.publish('lib/long', '1', 'clean');
    await site.read('up/lib/long/manifests/1');
    const first = {
      ...{ status: 200, body: JSON.stringify({ tags: ['2', '3'] }) },
      headers: { link: '</v2/lib/long/tags/list?last=3>; rel="next"' },
    };
    site.upstream.behaviour = {
      answer({ path }) {
        if (!path.includes('/tags/list')) return null;
        return path.includes('last=') ? { status: 500 } : first;
      },
    };
    const { tags } = await json(site.read('up/lib/long/tags/list', { by: 'dev' }));
    expect(tags).toEqual(['1', '2', '3']);
  });
});

it('a folder without its mirror serves what it has, and asks nothing', async () => {
  await site.mirror('former');
  await site.publish('lib/former', '1', 'clean');
  expect((await site.read('former/lib/former/manifests/1')).status).toBe(200);
  await site.admin.patch('/api/folders/former', { mirror: null });
  site.upstream.seen.length = 0;
  expect((await site.read('former/lib/former/manifests/1')).status).toBe(200);
  expect((await site.read('former/lib/former/manifests/2')).status).toBe(404);
  expect(site.upstream.seen).toEqual([]);
});
