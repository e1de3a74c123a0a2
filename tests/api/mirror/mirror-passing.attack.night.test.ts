/**
 * What passes through a mirror beside the usual: layers whose table of contents tells of other
 * files than their archive, workers that are killed while a layer is read, robots and mounts of
 * blobs without the right to read, and clients that do not read the type of an index.
 */
import { createHash } from 'node:crypto';
import {
  DOCKER_INDEX,
  DOCKER_MANIFEST,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
} from '@portcullis/oci';
import type { GrantFlags } from '@portcullis/store';
import {
  blobOf,
  debianFiles,
  eventually,
  json,
  pushImage,
  randomFiles,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  estargzLayer,
  type LazyLayer,
  type TocEntry,
  zstdChunkedLayer,
} from '../../../packages/scanner/src/layers/toc/toc.fixture.ts';
import { type MirrorSite, messageOf, openMirrorSite } from './mirror-site.ts';

let site: MirrorSite;
/** The one that runs; what a test kills it replaces. */
let worker: MirrorSite['worker'];

beforeAll(async () => {
  site = await openMirrorSite();
  worker = site.worker;
  await site.mirror('up');
  await site.mirror('some', { platforms: ['linux/amd64'] });
});
afterAll(() => site?.[Symbol.asyncDispose]());
afterEach(() => {
  site.upstream.behaviour = {};
});

const layerOf = ({ blobs }: TestImage) => blobs.at(-1)?.descriptor.digest ?? '';
const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

async function digestOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

async function expectStored(repository: string, { digest, blobs }: TestImage): Promise<void> {
  const served = await site.read(`${repository}/manifests/1`);
  expect([served.status, await digestOf(served)]).toEqual([200, digest]);
  for (const { descriptor } of blobs) {
    const blob = await site.read(`${repository}/blobs/${descriptor.digest}`);
    expect([blob.status, await digestOf(blob)]).toEqual([200, descriptor.digest]);
  }
}

async function expectAbsent(repository: string, image: TestImage): Promise<void> {
  const { digest } = image;
  for (const path of ['manifests/1', `manifests/${digest}`, `blobs/${layerOf(image)}`]) {
    const url = `${site.api.registry.url}/v2/${repository}/${path}`;
    expect((await fetch(url, { headers: { accept: '*/*' } })).status).toBe(404);
  }
}

function lazyImage({ bytes, mediaType, annotations, diffId }: LazyLayer): TestImage {
  const rootfs = { type: 'layers', diff_ids: [diffId] };
  const config = { architecture: 'amd64', os: 'linux', rootfs };
  const own = blobOf(OCI_CONFIG, Buffer.from(JSON.stringify(config)));
  const layer = blobOf(mediaType, bytes);
  const layers = [{ ...layer.descriptor, annotations }];
  const document = {
    ...{ schemaVersion: 2, mediaType: OCI_MANIFEST },
    ...{ config: own.descriptor, layers },
  };
  const root = blobOf(OCI_MANIFEST, Buffer.from(JSON.stringify(document)));
  return { ...root, digest: root.descriptor.digest, blobs: [own, layer], children: [] };
}

describe.each([
  ['zstd', zstdChunkedLayer],
  ['estargz', estargzLayer],
] as const)('a layer of %s, read while it is downloaded', (format, layerOf) => {
  const hidden = {
    type: 'reg',
    name: 'usr/bin/miner',
    size: 1,
    digest: `sha256:${'0'.repeat(64)}`,
  };
  it.each<[string, (entries: TocEntry[]) => unknown, number]>([
    ['has a table of its files', (entries) => entries, 200],
    ['names a file that is not in the archive', (entries) => [...entries, hidden], 403],
    ['leaves a file of the archive out', (entries) => entries.slice(1), 403],
  ])('that %s', async (name, edit, status) => {
    const repository = `lib/${format}-${name.replaceAll(' ', '-')}`;
    const files = {
      ...debianFiles([{ name: 'tzdata', version: '2024a-0' }]),
      ...randomFiles(600_000),
    };
    const image = lazyImage(await layerOf(files, edit));
    await pushImage(site.origin.url, repository, '1', image);
    site.upstream.behaviour = { rate: 200_000 };
    const answer = await site.read(`up/${repository}/manifests/1`);
    expect(answer.status).toBe(status);
    site.upstream.behaviour = {};
    if (status === 200) return expectStored(`up/${repository}`, image);
    expect(await messageOf(answer)).toMatch(/could not cover the whole image/);
    await expectAbsent(`up/${repository}`, image);
  });
});

describe('two workers of one DATA_DIR, of which one is killed while a layer is read', () => {
  it.each([
    ['clean', false, 200],
    ['flawed', false, 403],
    ['clean', true, 200],
  ] as const)(
    'the other one judges what is stored: %s, first shown falsely: %s',
    async (kind, isFalse, status) => {
      const repository = `lib/two-${kind}-${isFalse}`;
      const image = await site.publish(repository, '1', kind, 3_000_000);
      const layer = `/blobs/${layerOf(image)}`;
      const isLayer = ({ path }: { path: string }) => path.endsWith(layer);
      site.upstream.behaviour = { rate: 60_000, falsify: (seen) => isFalse && isLayer(seen) };
      const asked = site.read(`up/${repository}/manifests/1`);
      await eventually(
        async () => site.upstream.blobGets().filter(isLayer).length,
        (count) => count > 0,
      );
      const first = worker;
      worker = await site.startWorker();
      expect(await site.jobsOf(repository)).toMatchObject([{ status: 'pulling' }]);
      await first.kill('SIGKILL');
      site.upstream.behaviour = {};
      expect([status, 429]).toContain((await asked).status);
      const settled = async () => (await site.read(`up/${repository}/manifests/1`)).status;
      await expect.poll(settled).toBe(status);
      expect(await site.jobsOf(repository)).toHaveLength(1);
      await (status === 200
        ? expectStored(`up/${repository}`, image)
        : expectAbsent(`up/${repository}`, image));
    },
  );
});

describe('robots and mounts of blobs', () => {
  type Robot = (path: string, method?: string) => Promise<[number, string]>;
  let serial = 0;

  /** Of a group with these rights, by folder. */
  async function robotWith(rights: Record<string, Partial<GrantFlags>>): Promise<Robot> {
    serial += 1;
    const owner = await site.api.account(`owner${serial}`);
    const grants = await Promise.all(
      Object.entries(rights).map(([folder, flags]) => site.api.grant(owner, folder, flags)),
    );
    const [first] = grants;
    const order = { name: `robot${serial}`, owner_group_id: first?.groupId };
    const robot = await json(site.admin.post('/api/robots', order));
    for (const { groupId } of grants.slice(1))
      await site.api.store.groups.addMember(groupId, robot.id);
    const terms = { name: 'ci', scope: 'docker', expires_in_days: 1 };
    const { token } = await json(site.admin.post(`/api/robots/${robot.id}/tokens`, terms));
    return async (path, method = 'GET') => {
      const headers = { ...basic(order.name, token), accept: `${OCI_MANIFEST}, ${OCI_INDEX}` };
      const reply = await fetch(`${site.api.url}/v2/${path}`, { method, headers });
      return [reply.status, await reply.text()];
    };
  }

  it('a robot that may bring in does, and one that may only pull has what is here', async () => {
    const image = await site.publish('lib/robot', '1', 'clean');
    const brings = await robotWith({ up: { canPull: true, canPullExternal: true } });
    const pulls = await robotWith({ up: { canPull: true } });
    const [status, words] = await pulls('up/lib/robot/manifests/1');
    expect([status, words]).toEqual([404, expect.stringContaining('can_pull_external')]);
    expect((await brings('up/lib/robot/manifests/1'))[0]).toBe(200);
    for (const path of ['manifests/1', `blobs/${layerOf(image)}`])
      expect((await pulls(`up/lib/robot/${path}`))[0]).toBe(200);
  });

  it('a robot without the right reads neither bytes nor existence', async () => {
    const image = await site.publish('lib/secret', '1', 'clean');
    expect((await site.read('up/lib/secret/manifests/1')).status).toBe(200);
    const stranger = await robotWith({ team: { canPull: true, canPush: true } });
    site.upstream.seen.length = 0;
    for (const [here, nowhere] of [
      ['lib/secret/manifests/1', 'lib/none/manifests/1'],
      [`lib/secret/manifests/${image.digest}`, `lib/none/manifests/sha256:${'0'.repeat(64)}`],
      [`lib/secret/blobs/${layerOf(image)}`, `lib/none/blobs/sha256:${'0'.repeat(64)}`],
      ['lib/secret/tags/list', 'lib/none/tags/list'],
      [`lib/secret/referrers/${image.digest}`, `lib/none/referrers/sha256:${'0'.repeat(64)}`],
    ])
      for (const method of ['GET', 'HEAD']) {
        const answer = await stranger(`up/${here}`, method);
        const blank = await stranger(`up/${nowhere}`, method);
        // HEAD of a list is no request of the specification.
        expect([403, 405]).toContain(answer[0]);
        const same = ([status, text]: [number, string]) => [
          status,
          text.replaceAll(/lib\/(?:secret|none)|sha256:\w+/g, '…'),
        ];
        expect(same(answer)).toEqual(same(blank));
      }
    expect(site.upstream.seen).toEqual([]);
  });

  it('a blob of a mirror is mounted by robots that may read it, and into no mirror', async () => {
    const image = await site.publish('lib/mounted', '1', 'clean');
    const refused = await site.publish('lib/mounted', 'bad', 'flawed');
    await site.read('up/lib/mounted/manifests/1');
    await site.read('up/lib/mounted/manifests/bad');
    const team = { team: { canPull: true, canPush: true } };
    const stranger = await robotWith(team);
    const reader = await robotWith({ ...team, up: { canPull: true } });
    const mount = (robot: Robot, into: string, digest: string, from = '&from=up/lib/mounted') =>
      robot(`${into}/blobs/uploads/?mount=${digest}${from}`, 'POST');
    const layer = layerOf(image);
    for (const from of ['&from=up/lib/mounted', ''])
      expect((await mount(stranger, 'team/one', layer, from))[0]).toBe(202);
    expect((await stranger(`team/one/blobs/${layer}`))[0]).toBe(404);
    expect((await mount(reader, 'team/two', layerOf(refused)))[0]).toBe(202);
    expect((await mount(reader, 'up/lib/other', layer))[0]).toBe(403);
    expect((await mount(reader, 'team/two', layer))[0]).toBe(201);
    expect((await reader(`team/two/blobs/${layer}`))[0]).toBe(200);
  });
});

describe('an index with one of its platforms here', () => {
  const read = (reference: string, accept: string | null, method = 'GET') => {
    // Fetch sends `*/*` where there is none.
    const headers = { ...basic('dev', 'pass-of-dev'), accept: accept ?? '' };
    return fetch(`${site.api.url}/v2/some/lib/accept/manifests/${reference}`, { method, headers });
  };
  const docker = `${DOCKER_MANIFEST}, ${DOCKER_INDEX}`;

  it('is served as it is to clients that read it, and to no other one in place of it', async () => {
    const index = await site.publishIndex('lib/accept', '1', ['clean', 'clean']);
    const [amd64, arm64] = index.children;
    const first = await read('1', docker);
    expect([first.status, await messageOf(first)]).toEqual([
      404,
      expect.stringContaining('which Accept does not name'),
    ]);
    for (const method of ['GET', 'HEAD'])
      for (const [reference, accept, status] of [
        ['1', docker, 404],
        ['1', OCI_INDEX, 200],
        ['1', OCI_MANIFEST, 404],
        ['1', null, 200],
        ['1', '*/*', 200],
        [index.digest, null, 200],
        [amd64?.digest ?? '', OCI_MANIFEST, 200],
        [amd64?.digest ?? '', docker, 404],
        [arm64?.digest ?? '', docker, 404],
        [arm64?.digest ?? '', OCI_MANIFEST, 200],
      ] as const) {
        const answer = await read(reference, accept, method);
        expect([reference, accept, method, answer.status]).toEqual([
          ...[reference, accept, method],
          status,
        ]);
        const digest = answer.headers.get('docker-content-digest');
        if (status === 200) expect(digest).toBe(reference === '1' ? index.digest : reference);
        await answer.body?.cancel();
      }
  });
});
