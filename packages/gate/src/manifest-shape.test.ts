import { createHash } from 'node:crypto';
import { contentOf, type Digest, type Source } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';
import { describe, expect, it } from 'vitest';
import { createShapes } from './manifest-shape.ts';

const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';

function manifest(document: object) {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { bytes, descriptor: { mediaType: OCI_INDEX, digest, size: bytes.length } };
}

const EMPTY = manifest({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] });

/** Repositories that have the manifest; the registry counts what it is asked. */
async function registry(...having: string[]) {
  const asked: string[] = [];
  const full = createMemoryStore();
  await full.push(EMPTY.descriptor, async () => contentOf(EMPTY.bytes));
  const shapes = createShapes((repository): Source => {
    const store = having.includes(repository) ? full : createMemoryStore();
    return {
      fetch: store.fetch,
      resolve(reference, options) {
        asked.push(repository);
        return store.resolve(reference, options);
      },
    };
  });
  const { digest } = EMPTY.descriptor;
  const budget = { bytes: 1_000 };
  return { asked, shapeIn: (repository: string) => shapes({ repository, digest }, { budget }) };
}

describe('the shape of a manifest', () => {
  it('is read once by many at the same time, and then kept', async () => {
    const { asked, shapeIn } = await registry('team/app');
    await Promise.all(Array.from({ length: 20 }, () => shapeIn('team/app')));
    expect(await shapeIn('team/app')).toMatchObject({ kind: 'index' });
    expect(asked).toEqual(['team/app']);
  });

  it('of another repository says nothing about one that does not have the manifest', async () => {
    const { asked, shapeIn } = await registry('secret/app');
    await shapeIn('secret/app');
    expect(await shapeIn('mine/app')).toBeNull();
    expect(asked).toEqual(['secret/app', 'mine/app']);
  });
});

describe('the blobs of artifacts', () => {
  it('are read once for all manifests that name them, and again for none', async () => {
    const home = await artifacts(6, { config: 'shared' });
    for (const digest of home.digests)
      expect(await home.shape(digest)).toEqual({ kind: 'artifact', subject: null });
    expect(home.reads.filter((read) => read.startsWith('config'))).toHaveLength(1);
  });

  it('are read of two folders at a time, and of one manifest in each', async () => {
    const home = await artifacts(4, { isHeld: true });
    const asked = ['a/x', 'a/y', 'b/x', 'c/x'].map((repository, at) =>
      home.shape(home.digests[at] ?? '', { repository }),
    );
    await expect.poll(() => home.held.size).toBe(2);
    expect(new Set([...home.held.keys()].map(([folder]) => folder)).size).toBe(2);
    for (let left = asked.length; left > 0; left -= 1) {
      await expect.poll(() => home.held.size).toBeGreaterThan(0);
      home.release();
    }
    for (const shape of await Promise.all(asked)) expect(shape?.kind).toBe('artifact');
    expect(home.most()).toBe(2);
  });

  it('end with the last client that waits for them', async () => {
    const home = await artifacts(1, { isHeld: true });
    const [digest = ''] = home.digests;
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [one, other].map(({ signal }) => home.shape(digest, { signal }));
    const settled = Promise.allSettled(asked);
    await expect.poll(() => home.held.size).toBe(1);
    one.abort();
    expect(home.aborted).toEqual([]);
    other.abort();
    expect(home.aborted).toEqual([digest]);
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    home.release();
    const again = home.shape(digest);
    await expect.poll(() => home.held.size).toBe(1);
    home.release();
    expect((await again)?.kind).toBe('artifact');
  });

  it('beyond the budget of a request make an image, until the next request', async () => {
    const home = await artifacts(3);
    const budget = { bytes: 1 };
    const kinds = [];
    for (const digest of home.digests) kinds.push((await home.shape(digest, { budget }))?.kind);
    expect(kinds).toEqual(['artifact', 'image', 'image']);
    expect(home.reads.filter((read) => read.startsWith('config'))).toHaveLength(1);
    for (const digest of home.digests) expect((await home.shape(digest))?.kind).toBe('artifact');
  });

  it('that take too long are a fault to ask again after, and not an internal one', async () => {
    const home = await artifacts(1, { isHeld: true, patienceMs: 20 });
    await expect(home.shape(home.digests[0] ?? '')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'SHAPE_TIMEOUT',
      retryAfter: 10,
    });
  });
});

interface Artifacts {
  /** All have one configuration. */
  config?: 'shared';
  /** Configurations are served when the test releases them. */
  isHeld?: boolean;
  patienceMs?: number;
}

async function artifacts(count: number, { config, isHeld, patienceMs }: Artifacts = {}) {
  const store = createMemoryStore();
  const reads: string[] = [];
  const aborted: string[] = [];
  const held = new Map<string, () => void>();
  let most = 0;
  const manifests = new Map<string, string>();
  const digests: string[] = [];
  const push = async (mediaType: string, text: string) => {
    const bytes = Buffer.from(text);
    const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const descriptor = { mediaType, digest, size: bytes.length };
    await store.push(descriptor, async () => contentOf(bytes));
    return descriptor;
  };
  for (let n = 0; n < count; n += 1) {
    const described = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: await push('application/vnd.example.config', `{"a":"${config ?? n}"}`),
      layers: [await push('text/plain', `${n}`)],
    };
    const { digest } = await push(described.mediaType, JSON.stringify(described));
    manifests.set(described.config.digest, digest);
    digests.push(digest);
  }
  const shapes = createShapes(
    (repository): Source => ({
      resolve: store.resolve,
      async fetch(descriptor, options) {
        const isConfig = descriptor.mediaType.endsWith('.config');
        reads.push(`${isConfig ? 'config' : 'other'} ${descriptor.digest}`);
        if (isConfig && isHeld) {
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          held.set(repository, resolve);
          most = Math.max(most, held.size);
          options?.signal?.addEventListener('abort', () => {
            aborted.push(manifests.get(descriptor.digest) ?? '');
            reject(options.signal?.reason);
          });
          await promise;
        }
        return store.fetch(descriptor, options);
      },
    }),
    patienceMs === undefined ? {} : { patienceMs },
  );
  return {
    digests,
    reads,
    aborted,
    held,
    most: () => most,
    release() {
      const [first] = held;
      if (!first) return;
      held.delete(first[0]);
      first[1]();
    },
    shape: (
      digest: string,
      {
        repository = 'a/x',
        budget = { bytes: 1_000_000 },
        signal,
      }: { repository?: string; budget?: { bytes: number }; signal?: AbortSignal } = {},
    ) => shapes({ repository, digest }, { budget, signal }),
  };
}
