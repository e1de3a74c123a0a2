/** Repositories of a real CNCF distribution registry. */
import { randomUUID } from 'node:crypto';
import {
  buildArtifact,
  buildImage,
  buildIndex,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copy } from '../copy/copy.ts';
import { memoryOf, put } from '../copy/sample.contract.ts';
import { describeTarget } from '../copy/target.contract.ts';
import { createMemoryStore } from '../memory/memory.ts';
import { bytesOf, putBlob, randomBlob } from '../target-contract/content.ts';
import { createTransport } from './http/transport.ts';
import { openRepository, ping, type RepositoryOptions } from './index.ts';

const transport = createTransport();
afterAll(() => transport.close());

function nameOf(): string {
  return `team/${randomUUID()}`;
}

describe('a registry', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => registry.stop());

  const open = (repository: string, options: Partial<RepositoryOptions> = {}) =>
    openRepository({
      host: registry.host,
      repository,
      tls: 'loopback-fallback',
      transport,
      ...options,
    });

  describeTarget('a repository of a distribution registry', async () => ({
    target: open(nameOf()),
    close: async () => undefined,
  }));

  it('on a loopback host is found without TLS', async () => {
    expect(await ping({ host: registry.host, tls: 'loopback-fallback', transport })).toMatchObject({
      reachable: true,
      authenticated: true,
      catalog: true,
    });
  });

  it('mounts a blob of another repository, and reports when it has none', async () => {
    const [from, to] = [nameOf(), nameOf()];
    const blob = randomBlob(10_000);
    await putBlob(open(from), blob);
    const target = open(to);
    expect(await target.mount(blob.descriptor, from)).toBe(true);
    expect(await target.exists(blob.descriptor)).toBe(true);
    const other = randomBlob(10_000);
    expect(await target.mount(other.descriptor, from)).toBe(false);
    await putBlob(target, other);
    expect((await bytesOf(await target.fetch(other.descriptor))).equals(other.bytes)).toBe(true);
  });

  it('stores a whole index and returns it, digest for digest', async () => {
    const images = await Promise.all(
      ['linux/amd64', 'linux/arm64/v8'].map((platform) =>
        buildImage({ layers: [{ platform }], platform }),
      ),
    );
    const index = buildIndex(images);
    const repository = open(nameOf());
    await copy(await memoryOf(index), index.digest, repository, { targetTag: 'v1' });
    const memory = createMemoryStore();
    const { root } = await copy(repository, 'v1', memory, {});
    expect(root.digest).toBe(index.digest);
    expect(memory.contents.size).toBe(7);
  });

  it.each(['an image', 'an index with platforms'])(
    'leaves %s under the name of a list of referrers as it is',
    async (kind) => {
      const [image, other] = [
        await buildImage({ layers: [{ a: '1' }] }),
        await buildImage({ layers: [{ b: '1' }] }),
      ];
      const held = kind === 'an image' ? other : buildIndex([other]);
      const tag = image.digest.replace(':', '-');
      const repository = open(nameOf());
      await put(repository, image);
      await put(repository, held);
      await repository.tag(held.descriptor, tag);
      await put(repository, buildArtifact({ layers: [], subject: image.descriptor }));
      expect((await repository.resolve(tag)).digest).toBe(held.digest);
      expect(await repository.referrers(image.digest)).toEqual([]);
    },
  );

  it('without a referrers API still lists the referrers of an image', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const repository = open(nameOf());
    await put(repository, image);
    const artifacts = ['one', 'two'].map((text) =>
      buildArtifact({
        artifactType: 'application/vnd.test.signature',
        layers: [{ mediaType: 'text/plain', bytes: Buffer.from(text) }],
        subject: image.descriptor,
      }),
    );
    expect(await repository.referrers(image.digest)).toEqual([]);
    await Promise.all(artifacts.map((artifact) => put(repository, artifact)));
    const listed = await repository.referrers(image.digest);
    expect(listed.map(({ digest }) => digest).sort()).toEqual(
      artifacts.map(({ digest }) => digest).sort(),
    );
    expect(listed[0]?.artifactType).toBe('application/vnd.test.signature');
  });

  it('lists tags and repositories page by page', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const name = nameOf();
    const repository = open(name);
    await put(repository, image);
    const tags = ['a', 'b', 'c', 'd', 'e'];
    for (const tag of tags) await repository.tag(image.descriptor, tag);
    expect((await repository.tags()).items.sort()).toEqual(tags);
    expect((await repository.allTags()).sort()).toEqual(tags);
    await put(open(`another/${randomUUID()}`), image);
    const found = [];
    for (
      let page = await repository.catalog({ limit: 1 });
      ;
      page = await repository.catalog({ cursor: page.next })
    ) {
      found.push(...page.items);
      if (page.next === undefined) break;
    }
    expect(found).toContain(name);
  });
});

describe('a registry with credentials and TLS from a private CA', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry({ auth: 'basic', tls: true });
  });
  afterAll(() => registry.stop());

  const options = () =>
    ({ host: registry.host, tls: 'required', ca: registry.ca, transport }) as const;

  it('transfers blobs in both directions with the right credentials', async () => {
    const repository = openRepository({
      ...options(),
      repository: nameOf(),
      ...(registry.credentials && { credentials: registry.credentials }),
    });
    const blob = randomBlob(3_000_001);
    await putBlob(repository, blob);
    expect((await bytesOf(await repository.fetch(blob.descriptor))).equals(blob.bytes)).toBe(true);
    const rest = await repository.fetch(blob.descriptor, { offset: 2_000_000 });
    expect(rest.offset).toBe(2_000_000);
    expect((await bytesOf(rest)).equals(blob.bytes.subarray(2_000_000))).toBe(true);
  });

  it.each([
    ['without credentials', undefined],
    ['with a wrong password', { username: 'tester', password: 'wrong' }],
  ])('%s is unauthenticated', async (_, credentials) => {
    const repository = openRepository({ ...options(), repository: nameOf(), credentials });
    await expect(repository.resolve('latest')).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(await ping({ ...options(), credentials })).toMatchObject({
      reachable: true,
      authenticated: false,
    });
  });

  it('is not trusted without its certificate, unless verification is disabled', async () => {
    const test = { host: registry.host, transport, credentials: registry.credentials };
    expect(await ping({ ...test, tls: 'required' })).toMatchObject({
      reachable: false,
      message: expect.stringContaining('certificate'),
    });
    expect(await ping({ ...test, tls: 'required', tlsVerify: false })).toMatchObject({
      authenticated: true,
    });
  });
});
