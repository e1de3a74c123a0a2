/** Where images run, for accounts that may read them, on real services. */
import { json, openSql, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, published, startApi, type TestApi } from '../../api.fixture.ts';
import { reportWith } from '../../registry/gate/report.fixture.ts';

const [ONE, TWO] = ['CVE-2026-0001', 'CVE-2026-0002'] as const;
const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const [SHARED, INDEX, CHILD, OLD] = ['a', 'b', 'c', 'd'].map(digestOf) as [string, ...string[]];
let api: TestApi;
let sql: Awaited<ReturnType<typeof openSql>>;
let admin: Client;
let dev: Client;

beforeAll(async () => {
  api = await startApi();
  sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  await api.account('admin', { isAdmin: true });
  await api.grant(await api.account('dev'), 'team', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  [admin, dev] = [await api.as('admin'), await api.as('dev')];
  await push('team/app', SHARED);
  await push('secret/app', SHARED);
  await push('team/multi', INDEX ?? '', [CHILD ?? '']);
  for (const digest of [SHARED, OLD ?? '']) await found(digest, ONE);
  for (const digest of [INDEX ?? '', CHILD ?? '']) await found(digest, TWO);
  await api.store.runningImages.note([
    at('eu', 'shop', 'team/app', SHARED),
    at('us', 'shop', 'team/app', SHARED),
    at('eu', 'vault', 'secret/app', SHARED),
    // The tag was moved since.
    at('eu', 'blog', 'team/app', OLD ?? ''),
    at('eu', 'shop', 'team/multi', CHILD ?? ''),
    at('eu', 'shop', 'team/gone', SHARED),
  ]);
});
afterAll(async () => {
  await sql?.end();
  await api?.stop();
});

const at = (cluster: string, namespace: string, repository: string, digest: string) => ({
  ...{ cluster, namespace, repository, digest },
});

function push(repository: string, digest: string, children: string[] = []) {
  const manifests = [...children, digest].map((each) => ({
    ...{ digest: each, mediaType: 'm', artifactType: null, subject: null, size: 1 },
    platforms: ['linux/amd64'],
    contents: (each === digest ? children : []).map((child) => ({
      ...{ digest: child, size: 1, isManifest: true },
    })),
  }));
  return api.store.images.record({ repository, tag: '1', digest, manifests });
}

async function found(digest: string, id: string): Promise<void> {
  const report = reportWith([{ id, severity: 'CRITICAL' }]);
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
}

const running = (client: Client, query = '') => json(client.get(`/api/clusters/running?${query}`));
const placesOf = async (client: Client, query = '') =>
  (await running(client, query)).images.map(
    ({ cluster, namespace, repository }: Record<string, string>) =>
      `${cluster}/${namespace} ${repository}`,
  );
const listed = (client: Client, sort: string) =>
  json(client.get(`/api/vulnerabilities?sort=${sort}`));

describe('what runs', () => {
  it('is listed with its tags, and counted', async () => {
    const { counts, images } = await running(dev, `repository=team/app&digest=${SHARED}`);
    expect(counts).toEqual({
      ...{ namespaces: 2, clusters: 2, silent_namespaces: 0 },
      seen_at: expect.any(String),
    });
    expect(images[0]).toEqual({
      ...at('eu', 'shop', 'team/app', SHARED),
      ...{
        folder: 'team',
        tags: ['1'],
        source: 'admission',
        seen_at: expect.any(String),
        silent: false,
      },
    });
  });

  it('is only of repositories that the account may pull, also where the digest is the same', async () => {
    const own = ['eu/shop team/app', 'us/shop team/app'];
    expect(await placesOf(dev, `digest=${SHARED}`)).toEqual(own);
    expect(await placesOf(admin, `digest=${SHARED}`)).toEqual(['eu/vault secret/app', ...own]);
    expect(await running(dev, 'repository=secret/app')).toEqual({ counts: null, images: [] });
  });

  it('is found by cluster, namespace and vulnerability, whether or not a tag leads to it', async () => {
    expect(await placesOf(dev, 'cluster=eu&namespace=blog')).toEqual(['eu/blog team/app']);
    expect(await placesOf(dev, `vulnerability=${ONE}`)).toEqual([
      ...['eu/shop team/app', 'us/shop team/app', 'eu/blog team/app'],
    ]);
  });

  it('of an index is also what it lists', async () => {
    expect(await placesOf(dev, `repository=team/multi&digest=${INDEX}`)).toEqual([
      'eu/shop team/multi',
    ]);
  });

  it('is read in pages', async () => {
    const first = await dev.get('/api/clusters/running?limit=3');
    const [, next] = /[?&](cursor=[^&>]+)/.exec(first.headers.get('link') ?? '') ?? [];
    const [{ images }, rest] = [await json(first), await running(dev, next)];
    expect([images.length, rest.images.length]).toEqual([3, 1]);
    expect((await dev.get('/api/clusters/running?cursor=x')).status).toBe(422);
  });

  it('of a repository that was made again is nothing of the former', async () => {
    const before = await placesOf(admin, 'repository=team/app');
    await sql.query(`UPDATE local_repositories SET created_at = now() + interval '1 minute'
                      WHERE name = 'team/app'`);
    expect(await placesOf(admin, 'repository=team/app')).toEqual([]);
    await sql.query(`UPDATE local_repositories SET created_at = now() - interval '1 minute'
                      WHERE name = 'team/app'`);
    expect(await placesOf(admin, 'repository=team/app')).toEqual(before);
  });
});

describe('a vulnerability', () => {
  const inPlaces = (namespaces: number, clusters: number) =>
    expect.objectContaining({ namespaces, clusters });

  it('says in how many namespaces it runs, of images that the account may pull', async () => {
    const of = async (client: Client) =>
      (await listed(client, 'id')).map(
        ({ id, running: counts }: { id: string; running: object }) => [id, counts],
      );
    expect(await of(dev)).toEqual([
      [ONE, inPlaces(3, 2)],
      [TWO, inPlaces(1, 1)],
    ]);
    expect(await of(admin)).toEqual([
      [ONE, inPlaces(4, 2)],
      [TWO, inPlaces(1, 1)],
    ]);
  });

  it('is listed by where it runs, in pages', async () => {
    const ids = async (sort: string, more = '') =>
      (await listed(dev, `${sort}${more}`)).map(({ id }: { id: string }) => id);
    expect(await ids('-running')).toEqual([ONE, TWO]);
    expect(await ids('running')).toEqual([TWO, ONE]);
    const first = await dev.get('/api/vulnerabilities?sort=-running&limit=1');
    const [, next] = /[?&](cursor=[^&>]+)/.exec(first.headers.get('link') ?? '') ?? [];
    expect(await ids('-running', `&${next}`)).toEqual([TWO]);
  });

  it('names where each of its images runs', async () => {
    const { affected } = await json(dev.get(`/api/vulnerabilities/${TWO}`));
    expect(affected).toMatchObject([{ repository: 'team/multi', running: inPlaces(1, 1) }]);
  });

  it('is exported with the numbers', async () => {
    const text = await (await dev.get('/api/vulnerabilities/export?sort=-running')).text();
    const [head, line] = text.split('\r\n');
    expect([head?.split(',').slice(-3), line?.split(',').slice(-3)]).toEqual([
      ['"running_namespaces"', '"running_clusters"', '"running_silent_namespaces"'],
      ['3', '2', '0'],
    ]);
  });
});

describe('a report', () => {
  const image = { namespace: 'shop', repository: 'team/app', digest: SHARED };
  let [robot, other]: Client[] = [];

  beforeAll(async () => {
    const account = await api.store.users.findByUsername('dev');
    const [group] = await api.store.groups.of(account?.id ?? '');
    [robot, other] = [await robotOf('agent', group?.id), await robotOf('other', group?.id)];
  });

  async function robotOf(name: string, owner_group_id?: string): Promise<Client> {
    const { id } = await json(admin.post('/api/robots', { name, owner_group_id }));
    const scope = { api: true, registry: false, folders: 'all', actions: ['pull'] };
    const body = { name, scope, expires_in_days: 1 };
    return clientOf(api.url, (await json(admin.post(`/api/robots/${id}/tokens`, body))).token);
  }

  const report = (client: Client | undefined, images: object[], more: object = {}) =>
    (client ?? admin).put('/api/clusters/asia/running', { images, ...more });
  const recorded = async () =>
    (await published(api, 50))
      .filter(({ action }) => /\/clusters\/\{name\}/.test(action))
      .map(({ event, actor, outcome }) => `${event} ${actor.name} ${outcome}`);

  it('says what runs of the folders of its robot, and nothing of others', async () => {
    const images = [image, { ...image, repository: 'secret/app' }];
    expect(await json(report(robot, images))).toEqual({ kept: 1, not_readable: 1 });
    expect(await placesOf(admin, 'cluster=asia')).toEqual(['asia/shop team/app']);
    expect((await running(dev, 'cluster=asia')).images).toMatchObject([{ source: 'agent' }]);
    expect(await json(report(robot, []))).toEqual({ kept: 0, not_readable: 0 });
    expect(await placesOf(admin, 'cluster=asia')).toEqual([]);
  });

  it('leaves what was admitted in folders that its robot may not pull from', async () => {
    for (const name of ['team/app', 'secret/app'])
      await api.store.runningImages.note([at('asia', 'vault', name, SHARED)]);
    await sql.query(`UPDATE running_images SET seen_at = now() - interval '1 hour'
                      WHERE cluster = 'asia'`);
    await sql.query(`UPDATE local_repositories SET created_at = now() - interval '1 day'`);
    await json(report(robot, []));
    expect(await placesOf(admin, 'cluster=asia')).toEqual(['asia/vault secret/app']);
    await sql.query(`DELETE FROM running_images WHERE cluster = 'asia'`);
  });

  it('of long ago says what ran, and no longer that it runs', async () => {
    await json(report(robot, [image]));
    const counts = async (query: string) => (await running(admin, query)).counts;
    const vulnerability = async () => (await listed(admin, 'id'))[0].running;
    expect(await counts('cluster=asia')).toMatchObject({ namespaces: 1, silent_namespaces: 0 });
    await sql.query(`UPDATE local_repositories SET created_at = now() - interval '1 hour'`);
    await sql.query(`UPDATE clusters SET reported_at = now() - interval '16 minutes'
                      WHERE name = 'asia'`);
    const { images } = await running(admin, 'cluster=asia');
    expect(images).toMatchObject([{ source: 'agent', silent: true }]);
    expect(await counts('cluster=asia')).toMatchObject({ namespaces: 1, silent_namespaces: 1 });
    expect(await vulnerability()).toMatchObject({ namespaces: 5, silent_namespaces: 1 });
    const { affected } = await json(admin.get(`/api/vulnerabilities/${ONE}`));
    expect(affected).toContainEqual(
      expect.objectContaining({
        repository: 'team/app',
        running: expect.objectContaining({ namespaces: 3, silent_namespaces: 1 }),
      }),
    );
    // What the webhook admitted since counts again.
    const noted = at('asia', 'shop', 'team/app', INDEX ?? '');
    await api.store.runningImages.note([noted]);
    expect(await counts('cluster=asia')).toMatchObject({ namespaces: 1, silent_namespaces: 0 });
    await sql.query(`DELETE FROM running_images WHERE cluster = 'asia'`);
  });

  it('of another account is refused, until an administrator releases the cluster', async () => {
    await json(report(robot, [image], { not_known: 2 }));
    expect(await refusal(report(other, []))).toMatchObject({ code: 'CLUSTER_TAKEN' });
    expect(await refusal(report(dev, []))).toMatchObject({ code: 'REPORTER_FORBIDDEN' });
    expect((await json(admin.get('/api/clusters'))).at(0)).toEqual({
      ...{ name: 'asia', reporter: { id: expect.any(String), name: 'agent' } },
      ...{ reported_at: expect.any(String), silent: false, reported: 1, not_known: 2, admitted: 0 },
    });
    expect((await admin.delete('/api/clusters/asia')).status).toBe(204);
    expect(await refusal(admin.delete('/api/clusters/asia'))).toMatchObject({
      code: 'CLUSTER_UNKNOWN',
    });
    await json(report(other, [image]));
    expect(await refusal(report(robot, []))).toMatchObject({ code: 'CLUSTER_TAKEN' });
  });

  it('is an audit event where it claims the cluster, and where it is denied', async () => {
    expect(await recorded()).toEqual([
      'cluster.claim other success',
      'cluster.release admin failure',
      'cluster.release admin success',
      'cluster.claim dev denied',
      'cluster.claim agent success',
    ]);
  });

  it.each<[string, object, string]>([
    ['an image without a digest', { images: [{ ...image, digest: '1' }] }, 'images.0.digest'],
    [
      'a namespace of no cluster',
      { images: [{ ...image, namespace: 'A B' }] },
      'images.0.namespace',
    ],
    ['too many images', { images: Array.from({ length: 20_001 }, () => image) }, 'images'],
  ])('with %s is refused', async (_, body, path) => {
    const { errors } = await refusal(admin.put('/api/clusters/asia/running', body));
    expect(errors).toMatchObject([{ path }]);
  });

  it('of as many images as there can be is kept', async () => {
    const namespaces = Array.from({ length: 20_000 }, (_, nth) => ({
      ...image,
      namespace: `namespace-${nth}`,
    }));
    expect(await json(report(other, namespaces))).toMatchObject({ kept: 20_000 });
  });
});
