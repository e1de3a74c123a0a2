/** The operations on images of the built-in registry, with the real one. */
import {
  DEFAULT_POLICY,
  defaultPolicy,
  type Push,
  type Severity,
  type Vulnerability,
  type VulnResult,
} from '@portcullis/domain';
import {
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  fetchManifest,
  json,
  openSql,
  pushImage,
  refusal,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, codeOf, published } from '../../api.fixture.ts';
import { remove, type StartedImages, single, startImages } from './images.fixture.ts';

let started: StartedImages;
let api: StartedImages['api'];
let outside: StartedImages['outside'];
let ann: Client;
let bob: Client;
let root: Client;
let push: StartedImages['push'];

beforeAll(async () => {
  started = await startImages({ REGISTRY_EVENTS_SECRET: EVENTS_SECRET });
  ({ api, outside, root, ann, bob, push } = started);
});
afterAll(() => started?.stop());

const LOCAL = '/api/images/__local__';

const EVENTS_SECRET = 'known to the registry alone';

async function multi(): Promise<TestImage> {
  const platforms = ['linux/amd64', 'linux/arm64/v8'];
  return buildIndex(
    await Promise.all(
      platforms.map((platform) => buildImage({ platform, layers: [{ base: 'b' }, { platform }] })),
    ),
  );
}

const tagsOf = async (repository: string, client = ann) =>
  (await json(client.get(`${LOCAL}/tags?repository=${repository}`))) as {
    tag: string;
    digest: string;
  }[];
const names = async (repository: string) => (await tagsOf(repository)).map(({ tag }) => tag).sort();
const atRegistry = async (repository: string, tag: string) =>
  (await fetchManifest(api.registry.url, repository, tag)).headers['docker-content-digest'];

describe('the list of repositories', () => {
  it('contains a pushed image as soon as the push is acknowledged, with each blob counted once', async () => {
    const [one, two] = [await single(), await single()];
    await push('team/listed', '1', one);
    await push('team/listed', '2', two);
    const { items } = await json(ann.get(`${LOCAL}?search=listed`));
    const blobs = new Map(
      [...one.blobs, ...two.blobs].map(({ descriptor }) => [descriptor.digest, descriptor.size]),
    );
    const size = [...blobs.values()].reduce(
      (sum, each) => sum + each,
      one.bytes.length + two.bytes.length,
    );
    expect(items).toMatchObject([{ name: 'team/listed', folder: 'team', tag_count: 2, size }]);
  });

  it('shows, counts and pages only what the caller may read', async () => {
    for (const repository of ['team/a', 'shared/a', 'secret/a', 'lonely'])
      await push(repository, '1', await single());
    const shown = async (client: Client) =>
      (await json(client.get(`${LOCAL}?page_size=200`))).items.map(
        (each: { name: string }) => each.name,
      );
    expect(await shown(bob)).toEqual(['secret/a']);
    expect(await shown(ann)).toEqual(expect.arrayContaining(['shared/a', 'team/a']));
    expect(await shown(ann)).not.toContain('secret/a');
    expect(await shown(root)).toEqual(
      expect.arrayContaining(['lonely', 'secret/a', 'shared/a', 'team/a']),
    );
    expect(await json(bob.get(`${LOCAL}?search=team`))).toMatchObject({
      items: [],
      total: 0,
      total_pages: 0,
    });
    const second = await json(root.get(`${LOCAL}?page=2&page_size=2`));
    expect(second).toMatchObject({ page: 2, page_size: 2 });
    expect(second.items.length).toBe(2);
  });

  it('can be limited to a folder, and is empty if the caller may not read it', async () => {
    const under = async (client: Client, folder: string) =>
      (await json(client.get(`${LOCAL}?folder=${folder}`))).items.map(
        (each: { name: string }) => each.name,
      );
    expect(await under(ann, 'shared')).toEqual(['shared/a']);
    expect(await under(ann, 'secret')).toEqual([]);
    expect(await under(root, '__root__')).toEqual(['lonely']);
  });
});

describe('the tree', () => {
  const level = async (client: Client, path?: string) =>
    (await json(client.get(`${LOCAL}/tree${path ? `?path=${path}` : ''}`))).items as {
      path: string;
      repositories: number;
    }[];
  const paths = async (client: Client, path?: string) =>
    (await level(client, path)).map((each) => each.path);

  it('has the folders the caller may read, with what they hold, and the way down to a repository', async () => {
    await push('shared/tools/deep/one', '1', await single());
    expect(await paths(ann)).toEqual(['shared', 'team']);
    expect(await paths(ann, 'shared')).toEqual(['shared/a', 'shared/tools']);
    expect(await paths(ann, 'shared/tools')).toEqual(['shared/tools/deep']);
    const [leaf] = await level(ann, 'shared/tools/deep');
    expect(leaf).toMatchObject({ name: 'one', is_repository: true, repositories: 0, tag_count: 1 });
    expect((await paths(root)).at(-1)).toBe('__root__');
    expect(await paths(root, '__root__')).toEqual(['lonely']);
  });

  it('has nothing below a folder that the caller may not read', async () => {
    for (const path of ['secret', '__root__']) expect(await level(ann, path)).toEqual([]);
    expect((await ann.get(`${LOCAL}/tree?path=Not/A/Path`)).status).toBe(422);
  });

  it('is not available for a saved registry, except for one that is our own', async () => {
    const { credentials } = outside;
    const save = async (name: string, host: string) =>
      (await json(ann.post('/api/registries', { name, host, use_tls: false, ...credentials }))).id;
    const elsewhere = await ann.get(`/api/images/${await save('elsewhere', outside.host)}/tree`);
    expect([elsewhere.status, (await elsewhere.json()).code]).toEqual([
      409,
      'REGISTRY_NOT_INDEXED',
    ]);
    const own = await json(ann.get(`/api/images/${await save('own', new URL(api.url).host)}/tree`));
    expect(own.items.map((each: { path: string }) => each.path)).toEqual(['shared', 'team']);
  });
});

describe('tags', () => {
  it('show digest, size, platforms and the verdict of the newest job', async () => {
    const image = await multi();
    await push('team/tagged', 'latest', image);
    const [id] = [await judged(image.digest)];
    const [tag] = await json(ann.get(`${LOCAL}/tags?repository=team/tagged`));
    expect(tag).toMatchObject({
      tag: 'latest',
      digest: image.digest,
      media_type: image.descriptor.mediaType,
      platforms: ['linux/amd64', 'linux/arm64/v8'],
      verdict: 'blocked',
      standing: { passes: null, code: null, scanned_at: null, since: null },
    });
    await api.store.jobs.remove(id);
  });

  it('S4b, S8: have the verdict of their newest report under the present policy, not that of a job', async () => {
    const image = await single();
    await push('team/standing', '1', image);
    const id = await judged(image.digest);
    onTestFinished(async () => void (await root.delete('/api/trivy/override')));
    const where = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
    const found = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
    const pack = (name: string, severity: Severity, fixedVersion: string | null) => ({
      ...{ name, severity, fixedVersion, installedVersion: '1', status: 'affected', ...where },
    });
    const vulnerability: Vulnerability = {
      ...{ id: 'CVE-1', severity: 'HIGH', ...found, primaryUrl: null, publishedAt: null },
      packages: [pack('shared', 'HIGH', null), pack('shared2', 'LOW', '2.0')],
    };
    await api.store.reports.record({
      digest: image.digest,
      scannedAt: new Date('2026-05-06T07:08:09Z'),
      report: {
        ...{ coverage: 'full', notes: [], os: null, targets: [], vulnerabilities: [vulnerability] },
        scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
      },
    });
    const verdicts = async () => {
      const [tag] = await json(ann.get(`${LOCAL}/tags?repository=team/standing`));
      const { scan } = await json(ann.get(`${LOCAL}/tags/detail?repository=team/standing&tag=1`));
      expect(scan).toMatchObject({
        at: '2026-05-06T07:08:09.000Z',
        counts: { HIGH: 1, LOW: 0 },
        job_id: id,
      });
      const isBlocked = tag.verdict === 'blocked';
      expect(tag.standing).toMatchObject({
        ...{ passes: !isBlocked, code: isBlocked ? 'VULN_BLOCKED' : null },
        ...{ since: null, grace_until: null },
      });
      return [tag.verdict, scan.verdict];
    };
    const under = async (severities: Severity[], ignore_unfixed: boolean) => {
      await root.put('/api/trivy/override', { severities, ignore_unfixed });
      return verdicts();
    };
    expect(await verdicts()).toEqual(['blocked', 'blocked']);
    expect(await under(['HIGH'], true)).toEqual(['findings', 'findings']);
    expect(await under(['LOW'], true)).toEqual(['blocked', 'blocked']);
    expect(await under(['CRITICAL'], false)).toEqual(['findings', 'findings']);
    const { id: _, name: __, version: ___, ...rules } = defaultPolicy(DEFAULT_POLICY);
    const policy = await api.store.policies.insertPolicy({
      name: 'strict',
      rules: { ...rules, rules: rules.rules.map((rule) => ({ ...rule, severities: ['LOW'] })) },
      savedBy: 'root',
    });
    const { items } = await api.store.folders.list({});
    const team = items.find(({ name }) => name === 'team')?.id ?? '';
    await api.store.folders.update(team, { policyId: policy.id });
    onTestFinished(async () => void (await api.store.folders.update(team, { policyId: null })));
    expect(await verdicts()).toEqual(['blocked', 'blocked']);
  });

  it('come page by page, with the next page in Link', async () => {
    const image = await single();
    for (const tag of ['1', '2', '3']) await push('team/many', tag, image);
    const response = await ann.get(`${LOCAL}/tags?repository=team/many&limit=2`);
    expect(response.headers.get('x-total-count')).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    const [first, second] = [await json(response), await json(ann.get(next))];
    expect([...first, ...second].map(({ tag }) => tag).sort()).toEqual(['1', '2', '3']);
  });

  it('are filtered on the server; no match differs from no repository', async () => {
    const image = await single();
    for (const tag of ['1.0', '1.1', '2.0']) await push('team/filtered', tag, image);
    const found = (q: string, repository = 'team/filtered') =>
      ann.get(`${LOCAL}/tags?repository=${repository}&q=${q}&limit=1`);
    const first = await found('1.');
    expect(first.headers.get('x-total-count')).toBe('2');
    expect(first.headers.get('link')).toContain('q=1.');
    expect(await json(found('nothing'))).toEqual([]);
    expect((await found('nothing', 'team/no-such')).status).toBe(404);
  });

  it('are filtered by their standing, and sorted by it; another one is refused by name', async () => {
    const [good, bad, fresh] = [await single(), await single(), await single()];
    for (const [tag, image] of Object.entries({ good, bad, fresh }))
      await push('team/standings', tag, image);
    await stand('team/standings', { [good.digest]: true, [bad.digest]: false });
    const found = async (more: string) => {
      const response = await ann.get(`${LOCAL}/tags?repository=team/standings&${more}`);
      const tags = (await json(response)).map(({ tag }: { tag: string }) => tag);
      return [tags, response.headers.get('x-total-count')];
    };
    expect(await found('standing=blocked')).toEqual([['bad'], '1']);
    expect(await found('standing=clean&q=good')).toEqual([['good'], '1']);
    expect(await found('standing=waived')).toEqual([[], '0']);
    expect(await found('sort=standing')).toEqual([['bad', 'fresh', 'good'], '3']);
    const unknown = await ann.get(`${LOCAL}/tags?repository=team/standings&standing=red`);
    expect([unknown.status, (await unknown.json()).errors]).toMatchObject([
      422,
      [{ path: 'standing' }],
    ]);
    const none = await ann.get(`${LOCAL}/tags?repository=team/no-such&standing=clean`);
    expect(none.status).toBe(404);
  });

  /** As the worker announces it. */
  async function stand(repository: string, passes: Record<string, boolean>): Promise<void> {
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    for (const [digest, passing] of Object.entries(passes))
      await sql.query(
        `INSERT INTO image_standings (repository, digest, folder, passes, verdict, policy, mark, since, judged_at)
         VALUES ($1, $2, 'team', $3, CASE WHEN $3 THEN 'clean' ELSE 'blocked' END, 'p', 'm', now(), now())`,
        [repository, digest, passing],
      );
    await sql.end();
  }

  it('of a folder without can_pull are forbidden, of no repository unknown', async () => {
    await push('secret/a', '1', await single());
    const answers = ['secret/a', 'secret/none', 'team/none'].map((repository) =>
      ann.get(`${LOCAL}/tags?repository=${repository}`),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 404]);
  });

  async function judged(digest: string): Promise<string> {
    const user = await api.store.users.findByUsername('ann');
    const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
    const { id } = await api.store.jobs.insert({
      ownerId: user?.id ?? '',
      image: 'a',
      tag: '1',
      source,
    });
    await api.store.jobs.update(id, (job) => ({
      ...job,
      status: 'staged',
      digest,
      verdict: 'blocked',
    }));
    return id;
  }
});

describe('the detail of an image', () => {
  it('says who pushed it past the policy, and why, where it was pushed to', async () => {
    const image = await single();
    await push('team/bypassed', '1', image);
    await push('team/same', '1', image);
    const ann = await api.store.users.findByUsername('ann');
    const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
    const order = { ownerId: ann?.id ?? '', image: 'a', tag: '1', source };
    const { id } = await api.store.jobs.insert(order);
    const pushed = (bypassed: string | undefined, finishedAt: string): Push => ({
      ...{ id: finishedAt, status: 'done', kind: 'local', registryId: null, host: 'local' },
      ...{ repository: 'team/bypassed', tag: '1', digest: image.digest, error: null },
      ...{ bytesDone: 1, bytesTotal: 1, bytesMounted: 0 },
      ...{ bypass: { allowed: true, reason: 'hotfix of 3 May' }, ...(bypassed && { bypassed }) },
      ...{ requestedById: order.ownerId, requestedBy: 'ann' },
      ...{ createdAt: new Date(finishedAt), finishedAt: new Date(finishedAt) },
    });
    await api.store.jobs.update(id, (job) => ({
      ...job,
      ...{ status: 'pushed' as const, digest: image.digest },
      pushes: [pushed('VULN_BLOCKED', '2026-05-03'), pushed(undefined, '2026-05-04')],
    }));
    const of = async (name: string) =>
      (await json(root.get(`${LOCAL}/tags/detail?repository=team/${name}&tag=1`))).bypass;
    expect(await of('bypassed')).toEqual({
      ...{ by: 'ann', at: '2026-05-03T00:00:00.000Z', reason: 'hotfix of 3 May' },
      code: 'VULN_BLOCKED',
    });
    expect(await of('same')).toBeNull();
    const tagsOf = async (name: string) => json(root.get(`${LOCAL}/tags?repository=team/${name}`));
    expect(await tagsOf('bypassed')).toMatchObject([
      { tag: '1', bypassed: { by: 'ann', at: '2026-05-03T00:00:00.000Z' } },
    ]);
    expect(await tagsOf('same')).toMatchObject([{ tag: '1', bypassed: null }]);
  });

  it('has its layers with their build steps, and its configuration', async () => {
    const image = await single();
    await push('team/detail', '1', image);
    const detail = await json(ann.get(`${LOCAL}/tags/detail?repository=team/detail&tag=1`));
    expect(detail).toMatchObject({
      name: 'team/detail',
      tag: '1',
      digest: image.digest,
      created: '2026-01-01T00:00:00Z',
      platforms: [{ os: 'linux', architecture: 'amd64', variant: null, digest: image.digest }],
      labels: { team: 'a' },
      env: ['A=1'],
      cmd: ['run'],
      entrypoint: ['/bin/sh'],
      exposed_ports: ['80/tcp'],
      user: 'nobody',
      working_dir: '/srv',
      referrers: [],
    });
    expect(detail.layers.map((layer: { created_by: string }) => layer.created_by)).toEqual([
      'layer 0',
      'layer 1',
    ]);
    const [tag] = await json(ann.get(`${LOCAL}/tags?repository=team/detail`));
    expect(detail.size).toBe(tag.size);
  });

  it('of an index is that of any of its platforms', async () => {
    const image = await multi();
    const [amd, arm] = image.children;
    await push('team/index', '1', image);
    const asked = (more: string) =>
      ann.get(`${LOCAL}/tags/detail?repository=team/index&tag=1${more}`);
    const of = (more = '') => json(asked(more));
    const layerOf = (child: TestImage | undefined) => child?.blobs.at(-1)?.descriptor.digest;
    expect((await of()).layers.at(-1).digest).toBe(layerOf(amd));
    const picked = await of('&platform=linux/arm64');
    expect(picked.layers.at(-1).digest).toBe(layerOf(arm));
    expect(picked).toMatchObject({
      digest: image.digest,
      platforms: [{ digest: amd?.digest }, { variant: 'v8' }],
    });
    expect(await codeOf(asked('&platform=linux/s390x'))).toEqual([404, 'PLATFORM_UNKNOWN']);
    const [tag] = await json(ann.get(`${LOCAL}/tags?repository=team/index`));
    expect(picked.size).toBe(tag.size);
  });

  it('lists what refers to it', async () => {
    const image = await single();
    await push('team/signed', '1', image);
    const signature = buildArtifact({
      artifactType: 'application/vnd.example.signature',
      layers: [{ mediaType: 'text/plain', bytes: Buffer.from('signed') }],
      subject: image.descriptor,
    });
    await push('team/signed', null, signature);
    const { referrers } = await json(ann.get(`${LOCAL}/tags/detail?repository=team/signed&tag=1`));
    expect(referrers).toMatchObject([
      { digest: signature.digest, artifact_type: 'application/vnd.example.signature' },
    ]);
  });

  it('has the findings of the newest job with a verdict; the job is visible to its owner and administrators', async () => {
    const image = await single();
    await push('shared/judged', '1', image);
    const path = `${LOCAL}/tags/detail?repository=shared/judged&tag=1`;
    const scanFor = async (client: Client) => (await json(client.get(path))).scan;
    expect(await scanFor(ann)).toBeNull();
    const id = await scanned(image.digest);
    const counts = { CRITICAL: 2, HIGH: 1, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
    const scan = { verdict: 'blocked', counts, at: '2026-03-04T05:06:07.000Z' };
    expect(await scanFor(root)).toEqual({ ...scan, job_id: id });
    expect(await scanFor(ann)).toEqual({ ...scan, job_id: null });
    expect((await bob.get(path)).status).toBe(403);
    await api.store.jobs.remove(id);
  });

  async function scanned(digest: string): Promise<string> {
    const user = await api.store.users.findByUsername('bob');
    const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
    const { id } = await api.store.jobs.insert({
      ownerId: user?.id ?? '',
      image: 'a',
      tag: '1',
      source,
    });
    const at = new Date('2026-03-04T05:06:07Z');
    const vulnResult: VulnResult = {
      enabled: true,
      blocked: true,
      severities: ['CRITICAL'],
      counts: { CRITICAL: 2, HIGH: 1, MEDIUM: 0, LOW: 0, UNKNOWN: 0 },
      fixable: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 },
      total: 3,
      coverage: 'full',
      notes: [],
      os: null,
      targets: [],
      vulnerabilities: [],
      scanner: { name: 'trivy', version: '0', dbUpdatedAt: null },
    };
    await api.store.jobs.update(id, (job) => ({
      ...job,
      status: 'staged',
      digest,
      verdict: 'blocked',
      vulnResult,
      timeline: [...job.timeline, { at, status: 'scanning', kind: 'status_changed' }],
    }));
    return id;
  }

  it('of a tag that is not there is 404', async () => {
    await push('team/detail', '1', await single());
    expect(
      await refusal(ann.get(`${LOCAL}/tags/detail?repository=team/detail&tag=no`)),
    ).toMatchObject({
      status: 404,
      code: 'IMAGE_UNKNOWN',
    });
  });

  it('has a digest by its tag, which is null where there is none', async () => {
    const image = await single();
    await push('team/detail', '1', image);
    const asked = (query: string) => ann.get(`${LOCAL}/tags/digest?repository=${query}`);
    const digestOf = (query: string) => json(asked(query));
    expect(await digestOf('team/detail&tag=1')).toEqual({ digest: image.digest });
    expect(await digestOf('team/detail&tag=no')).toEqual({ digest: null });
    expect(await digestOf('team/nothing&tag=1')).toEqual({ digest: null });
    expect((await asked('private/any&tag=1')).status).toBe(403);
  });
});

describe('deleting a tag', () => {
  it('keeps the other tags of the same digest', async () => {
    const image = await multi();
    for (const tag of ['1', '1.0', 'latest']) await push('team/siblings', tag, image);
    expect((await remove(ann, `${LOCAL}/tags?repository=team/siblings&tag=1.0`))[0]).toBe(204);
    expect(await names('team/siblings')).toEqual(['1', 'latest']);
    expect(await atRegistry('team/siblings', '1')).toBe(image.digest);
    expect(await atRegistry('team/siblings', 'latest')).toBe(image.digest);
    expect((await fetchManifest(api.registry.url, 'team/siblings', '1.0')).status).toBe(404);
    expect((await remove(ann, `${LOCAL}/tags?repository=team/siblings&tag=1.0`))[0]).toBe(404);
  });

  it('that is pushed meanwhile never loses another tag', async () => {
    const [old, fresh] = [await single(), await single()];
    await push('team/race', 'keep', old);
    for (let round = 0; round < 5; round++) {
      await push('team/race', 'moving', old);
      await Promise.all([
        remove(ann, `${LOCAL}/tags?repository=team/race&tag=moving`),
        pushImage(api.registry.url, 'team/race', 'other', fresh),
      ]);
      expect(await atRegistry('team/race', 'keep')).toBe(old.digest);
      expect(await atRegistry('team/race', 'other')).toBe(fresh.digest);
    }
  });

  it('needs can_push', async () => {
    await push('shared/a', '1', await single());
    expect((await remove(ann, `${LOCAL}/tags?repository=shared/a&tag=1`))[0]).toBe(403);
    expect(await names('shared/a')).toContain('1');
  });

  it('that was interrupted is completed by the next look', async () => {
    const image = await single();
    await push('team/broken', 'keep', image);
    const bytes = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.index.v1+json',
        artifactType: 'application/vnd.portcullis.deleted-tag.v1+json',
        manifests: [],
      }),
    );
    await fetch(`${api.registry.url}/v2/team/broken/manifests/half`, {
      method: 'PUT',
      body: bytes,
      headers: { 'content-type': 'application/vnd.oci.image.index.v1+json' },
    });
    await ann.post(`${LOCAL}/tags?repository=team/broken`, { source_tag: 'half', new_tag: 'half' });
    expect(await names('team/broken')).toEqual(['keep']);
    expect((await fetchManifest(api.registry.url, 'team/broken', 'half')).status).toBe(404);
  });
});

describe('deleting a repository', () => {
  it('deletes all its tags and their manifests', async () => {
    const [one, two] = [await single(), await multi()];
    await push('team/whole', 'a', one);
    await push('team/whole', 'b', one);
    await push('team/whole', 'c', two);
    expect(await remove(ann, `${LOCAL}?repository=team/whole`)).toEqual([
      200,
      { deleted: ['a', 'b', 'c'], failed: [] },
    ]);
    expect((await json(ann.get(`${LOCAL}?search=team/whole`))).total).toBe(0);
    expect(
      (await fetchManifest(api.registry.url, 'team/whole', two.children[0]?.digest ?? '')).status,
    ).toBe(404);
    expect((await remove(ann, `${LOCAL}?repository=team/whole`))[1]).toMatchObject({
      code: 'REPOSITORY_UNKNOWN',
    });
  });

  it('reports which tags remain, and why', async () => {
    await using closed = await startRegistry({ delete: false });
    await pushImage(closed.url, 'x/y', '1', await single());
    const { id } = await json(
      ann.post('/api/registries', { name: 'c', host: closed.host, use_tls: false }),
    );
    const [status, body] = await remove(ann, `/api/images/${id}?repository=x/y`);
    expect([status, body]).toMatchObject([
      200,
      { deleted: [], failed: [{ tag: '1', code: 'DELETE_UNSUPPORTED' }] },
    ]);
    expect((await remove(ann, `/api/images/${id}/tags?repository=x/y&tag=1`))[1]).toMatchObject({
      status: 409,
      code: 'DELETE_UNSUPPORTED',
    });
    expect((await fetchManifest(closed.url, 'x/y', '1')).status).toBe(200);
  });
});

describe('a new tag, and a copy', () => {
  it('are available at once with the same digest, without sending a blob', async () => {
    const image = await multi();
    await push('team/origin', '1', image);
    const retagged = await ann.post(`${LOCAL}/tags?repository=team/origin`, {
      source_tag: '1',
      new_tag: 'stable',
    });
    expect([retagged.status, await retagged.json()]).toEqual([
      201,
      { tag: 'stable', digest: image.digest },
    ]);
    const body = {
      source_repository: 'team/origin',
      source_tag: '1',
      dest_repository: 'team/copy',
      dest_tag: 'v1',
    };
    const copied = await ann.post('/api/images/copy', body);
    expect([copied.status, await copied.json()]).toEqual([
      201,
      { digest: image.digest, referrers_left: [] },
    ]);
    expect(await names('team/origin')).toEqual(['1', 'stable']);
    expect(await tagsOf('team/copy')).toMatchObject([{ tag: 'v1', digest: image.digest }]);
    expect(await atRegistry('team/copy', 'v1')).toBe(image.digest);
  });

  it('copies signatures too, as old and new clients store them', async () => {
    const image = await single();
    await push('team/trusted', '1', image);
    const signature = buildArtifact({
      artifactType: 'application/vnd.example.signature',
      layers: [{ mediaType: 'text/plain', bytes: Buffer.from('s') }],
      subject: image.descriptor,
    });
    await push('team/trusted', null, signature);
    await ann.post('/api/images/copy', {
      source_repository: 'team/trusted',
      source_tag: '1',
      dest_repository: 'team/moved',
    });
    const { referrers } = await json(ann.get(`${LOCAL}/tags/detail?repository=team/moved&tag=1`));
    expect(referrers).toMatchObject([{ digest: signature.digest }]);
    const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
    const listing = `${api.url}/v2/team/moved/referrers/${image.digest}`;
    const listed = await json(fetch(listing, { headers: { authorization } }));
    const artifactType = 'application/vnd.example.signature';
    expect(listed.manifests).toEqual([{ ...signature.descriptor, artifactType }]);
  });

  it('does not copy a referrer that is an image, and reports it (S3)', async () => {
    const image = await single();
    await push('team/referred', '1', image);
    const other = await buildImage({ layers: [{ 'bin/sh': 'x' }] });
    const document = {
      ...JSON.parse(Buffer.from(other.bytes).toString()),
      subject: image.descriptor,
    };
    const root = blobOf(other.descriptor.mediaType, Buffer.from(JSON.stringify(document)));
    const runnable = { ...other, ...root, digest: root.descriptor.digest };
    await push('team/referred', null, runnable);
    await push('team/referred', `${image.digest.replace(':', '-')}.sig`, runnable);
    const copied = await ann.post('/api/images/copy', {
      source_repository: 'team/referred',
      source_tag: '1',
      dest_repository: 'team/alone',
    });
    expect([copied.status, await copied.json()]).toEqual([
      201,
      { digest: image.digest, referrers_left: [runnable.digest] },
    ]);
    expect(await names('team/alone')).toEqual(['1']);
    expect(await atRegistry('team/alone', runnable.digest)).toBeUndefined();
  });

  it.each([
    [
      'without can_pull on the source',
      { source_repository: 'secret/a', dest_repository: 'team/stolen' },
      403,
    ],
    [
      'without can_push on the target',
      { source_repository: 'team/a', dest_repository: 'shared/a' },
      403,
    ],
    ['of a missing image', { source_repository: 'team/none', dest_repository: 'team/x' }, 404],
    ['to an invalid name', { source_repository: 'team/a', dest_repository: 'Team/../x' }, 422],
  ])('is refused %s', async (_, repositories, status) => {
    expect((await ann.post('/api/images/copy', { source_tag: '1', ...repositories })).status).toBe(
      status,
    );
  });
});

describe('a notification of a registry', () => {
  const event = { action: 'push', target: { repository: 'team/notified', tag: '1' } };
  const tell = (authorization: string, body: unknown) =>
    fetch(`${api.url}/registry-events`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/vnd.docker.distribution.events.v2+json',
      },
      body: JSON.stringify(body),
    });

  it('updates the index at once from the registry itself, whatever the notification claims', async () => {
    const image = await single();
    // The api must listen before the registry's address is known, so another registry sends the
    // notification.
    await using teller = await startRegistry({
      events: { url: `${api.url}/registry-events`, secret: EVENTS_SECRET },
    });
    await pushImage(api.registry.url, 'team/notified', '1', image);
    expect((await ann.get(`${LOCAL}/tags?repository=team/notified`)).status).toBe(404);
    await pushImage(teller.url, 'team/notified', '1', image);
    await pushImage(teller.url, 'team/claimed', '1', image);
    const tagsStatus = async () => (await ann.get(`${LOCAL}/tags?repository=team/notified`)).status;
    await expect.poll(tagsStatus).toBe(200);
    expect(await tagsOf('team/notified')).toMatchObject([{ tag: '1', digest: image.digest }]);
    expect((await ann.get(`${LOCAL}/tags?repository=team/claimed`)).status).toBe(404);
  });

  it.each([
    ['without the secret', 'Bearer wrong', { events: [event] }, 401],
    ['of another form', `Bearer ${EVENTS_SECRET}`, { events: 'none' }, 422],
    [
      'of a name that is none',
      `Bearer ${EVENTS_SECRET}`,
      { events: [{ ...event, target: { repository: '../x', tag: '1' } }] },
      200,
    ],
  ])('%s is answered with its status', async (_, authorization, body, status) => {
    expect((await tell(authorization, body)).status).toBe(status);
  });
});

describe('each change', () => {
  it('is an audit event with the image’s name', async () => {
    const events = await published(api, 1000);
    for (const event of [
      'image.tag_delete',
      'image.repository_delete',
      'image.retag',
      'image.copy',
    ])
      expect(
        events.some((each) => each.event === event && each.resource?.name?.startsWith('team/')),
      ).toBe(true);
  });
});

describe('when the built-in registry is down', () => {
  it('its lists are a 503, and the index is kept', async () => {
    const before = await api.store.images.list({ folders: 'all', page: 1, pageSize: 200 });
    await api.registry.stop();
    await expect.poll(async () => (await ann.get(LOCAL)).status).toBe(503);
    const listed = 'repository=team/listed';
    const paths = [
      '',
      `/tags?${listed}`,
      `/tags/detail?${listed}&tag=1`,
      `/tags/digest?${listed}&tag=1`,
    ];
    for (const path of paths) expect((await ann.get(LOCAL + path)).status).toBe(503);
    expect((await remove(ann, `${LOCAL}?repository=team/listed`))[0]).toBe(503);
    expect((await remove(ann, `${LOCAL}/tags?repository=team/listed&tag=1`))[0]).toBe(503);
    expect(await api.store.images.list({ folders: 'all', page: 1, pageSize: 200 })).toEqual(before);
  });
});
