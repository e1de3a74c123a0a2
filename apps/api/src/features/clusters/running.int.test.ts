/** Where images run, for accounts that may read them, on real services. */
import { json, openSql } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';
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
    expect(counts).toEqual({ namespaces: 2, clusters: 2, seen_at: expect.any(String) });
    expect(images[0]).toEqual({
      ...at('eu', 'shop', 'team/app', SHARED),
      ...{ folder: 'team', tags: ['1'], seen_at: expect.any(String) },
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
    expect([head?.split(',').slice(-2), line?.split(',').slice(-2)]).toEqual([
      ['"running_namespaces"', '"running_clusters"'],
      ['3', '2'],
    ]);
  });
});
