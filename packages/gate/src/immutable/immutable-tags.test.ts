import { notFound, unavailable } from '@portcullis/errors';
import { type Digest, OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import { describe, expect, it } from 'vitest';
import { createImmutableTags } from './immutable-tags.ts';
import type { ReadRepository } from './reachable.ts';

const digest = (letter: string): Digest => `sha256:${letter.repeat(64)}`;
const [A, B, INDEX, CONFIG, LAYER] = [...'abcde'].map(digest) as [
  ...[Digest, Digest, Digest, Digest, Digest],
];
const [LIST, OTHER_LIST, PLATFORMS, TWICE] = [...'1234'].map(digest) as [
  ...[Digest, Digest, Digest, Digest],
];
const [SPARSE, ARRIVED] = [...'56'].map(digest) as [Digest, Digest];
const REFERRERS = A.replace(':', '-');
const part = (mediaType: string, of: Digest) => ({ mediaType, digest: of, size: 1 });
const MANIFEST = {
  ...{ schemaVersion: 2, mediaType: OCI_MANIFEST },
  config: part('application/vnd.oci.image.config.v1+json', CONFIG),
  layers: [part('application/vnd.oci.image.layer.v1.tar', LAYER)],
};
const DOCUMENTS = new Map<string, object>([
  [A, MANIFEST],
  [B, { ...MANIFEST, layers: [part('application/vnd.oci.image.layer.v1.tar', INDEX)] }],
  [INDEX, { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [part(OCI_MANIFEST, A)] }],
  [LIST, { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [part(OCI_MANIFEST, B)] }],
  [OTHER_LIST, { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] }],
  [SPARSE, { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [part(OCI_MANIFEST, ARRIVED)] }],
  [
    TWICE,
    {
      ...{ schemaVersion: 2, mediaType: OCI_INDEX },
      manifests: [part(OCI_MANIFEST, A), part('application/octet-stream', A)],
    },
  ],
  [
    PLATFORMS,
    {
      ...{ schemaVersion: 2, mediaType: OCI_INDEX },
      manifests: [{ ...part(OCI_MANIFEST, A), platform: { os: 'linux', architecture: 'amd64' } }],
    },
  ],
]);

function inMemory(immutableTags: string[] = ['v*']) {
  const tags = new Map<string, Digest>();
  const held = new Map<string, string[]>();
  const asked: string[] = [];
  let claimed = () => {};
  async function resolve(reference: string) {
    asked.push(reference);
    const found = tags.get(reference) ?? reference;
    const document = DOCUMENTS.get(found);
    if (!document) throw notFound('MANIFEST_UNKNOWN', 'there is none');
    const { mediaType } = document as { mediaType: string };
    return { digest: found as Digest, mediaType, size: JSON.stringify(document).length };
  }
  const repository: ReadRepository = {
    resolve,
    allTags: async () => [...tags.keys()],
    async manifest(reference) {
      const descriptor = await resolve(reference);
      return { descriptor, bytes: Buffer.from(JSON.stringify(DOCUMENTS.get(descriptor.digest))) };
    },
  };
  const modes = { pushGate: 'off', pullGate: 'off', statements: 'off' } as const;
  const gate = { policyId: null, ...modes, immutableTags, quotaBytes: null };
  const guard = createImmutableTags({
    rules: async () => ({ gateOf: () => gate }),
    folders: async () => new Set(['team']),
    open: () => repository,
    patienceMs: 100,
    claims: {
      async claim(key, purpose) {
        const holders = held.get(key) ?? [];
        if (holders.some((holder) => holder !== purpose)) return null;
        held.set(key, [...holders, purpose]);
        claimed();
        return {
          release: async () => void held.set(key, (held.get(key) ?? []).slice(1)),
          abandon() {},
        };
      },
    },
  });
  const write = (tag: string, to: Digest) =>
    guard.writing('team/app', { tag, digest: to }, async () => void tags.set(tag, to));
  const whenClaimed = (change: () => void) => {
    claimed = change;
  };
  return { tags, guard, write, asked, whenClaimed };
}

const REFUSED = { kind: 'conflict', code: 'TAG_IMMUTABLE' };

describe('a write', () => {
  it('creates an immutable tag and refuses to move it', async () => {
    const { write, tags } = inMemory();
    await write('v1', A);
    await write('v1', A);
    await expect(write('v1', B)).rejects.toMatchObject(REFUSED);
    expect(tags.get('v1')).toBe(A);
  });

  it('is refused while the tag is written with another digest', async () => {
    const { guard, write, tags } = inMemory();
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = guard.writing('team/app', { tag: 'v1', digest: A }, async () => {
      begun.resolve();
      await ended.promise;
      tags.set('v1', A);
    });
    await begun.promise;
    await expect(write('v1', B)).rejects.toThrow('another image is being pushed');
    ended.resolve();
    await first;
    expect(tags.get('v1')).toBe(A);
  });

  it.each([
    ['its work says so', (unanswered: () => void) => unanswered()],
    [
      'the registry was not reached',
      () => {
        throw unavailable('REGISTRY_UNREACHABLE', 'gone');
      },
    ],
  ])('keeps its claim where no answer came: %s', async (_, work) => {
    const { guard, write } = inMemory();
    const change = { tag: 'v1', digest: A };
    await guard.writing('team/app', change, async (unanswered) => work(unanswered)).catch(() => {});
    await expect(write('v1', B)).rejects.toThrow('another image is being pushed');
  });

  it.each([
    ['over a list of referrers moves it', LIST, 'moves'],
    ['over an image under the name of such a list is refused', A, 'stays'],
    ['over an index with platforms under that name is refused', PLATFORMS, 'stays'],
  ])('%s', async (_, present, expected) => {
    const { write, tags, guard } = inMemory(['*']);
    await write(REFERRERS, present);
    const outcome = await write(REFERRERS, B).then(
      () => 'moves',
      (error) => (error.code === 'TAG_IMMUTABLE' ? 'stays' : error),
    );
    expect(outcome).toBe(expected);
    tags.set(REFERRERS, present);
    await guard.removing('team/app', async ({ assertFree }) => {
      if (expected === 'moves') expect(() => assertFree(present)).not.toThrow();
      else expect(() => assertFree(present)).toThrow(`the tag ${REFERRERS} of team/app leads`);
    });
  });

  it('of a list of referrers waits for another one', async () => {
    const { guard, write, tags } = inMemory(['*']);
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const first = guard.writing('team/app', { tag: REFERRERS, digest: LIST }, async () => {
      begun.resolve();
      await ended.promise;
      tags.set(REFERRERS, LIST);
    });
    await begun.promise;
    const second = write(REFERRERS, OTHER_LIST);
    ended.resolve();
    await Promise.all([first, second]);
    expect(tags.get(REFERRERS)).toBe(OTHER_LIST);
  });

  it('reads nothing from the registry without patterns, or for another tag', async () => {
    const none = inMemory([]);
    await none.write('v1', A);
    await none.write('v1', B);
    const other = inMemory();
    await other.write('latest', A);
    await other.write('latest', B);
    expect([...none.asked, ...other.asked]).toEqual([]);
  });
});

describe('a deletion', () => {
  it('of an immutable tag is refused, and of one that does not exist goes on', async () => {
    const { guard, write } = inMemory();
    await write('v1', A);
    const remove = (tag: string) => guard.removingTag('team/app', tag, async () => 'removed');
    await expect(remove('v1')).rejects.toMatchObject(REFUSED);
    expect(await remove('v2')).toBe('removed');
    expect(await remove('latest')).toBe('removed');
  });

  it('by digest is refused for all that an immutable tag leads to', async () => {
    const { guard, write, tags } = inMemory();
    await write('v1', INDEX);
    tags.set('latest', B);
    await guard.removing('team/app', async ({ assertFree }) => {
      for (const kept of [INDEX, A, CONFIG, LAYER])
        expect(() => assertFree(kept)).toThrow('the tag v1 of team/app leads to it');
      expect(() => assertFree(B)).not.toThrow();
    });
  });

  it('finds the images of an index that another image lists as a layer', async () => {
    const { guard, write } = inMemory();
    await write('v0', B);
    await write('v1', INDEX);
    await guard.removing('team/app', async ({ assertFree }) => {
      expect(() => assertFree(A)).toThrow('v1');
    });
  });

  it('finds the layers of an image that its index also lists as a blob', async () => {
    const { guard, write } = inMemory();
    await write('v1', TWICE);
    await guard.removing('team/app', async ({ assertFree }) => {
      for (const kept of [A, CONFIG, LAYER]) expect(() => assertFree(kept)).toThrow('v1');
    });
  });

  it('by digest reads only what has changed while it holds writers off', async () => {
    const { guard, tags, asked, whenClaimed } = inMemory(['*']);
    for (let n = 0; n < 20; n++) tags.set(`v${n}`, A);
    tags.set(REFERRERS, LIST).set('sparse', SPARSE);
    whenClaimed(() => {
      asked.length = 0;
      tags.set('v20', INDEX).set(REFERRERS, PLATFORMS);
      DOCUMENTS.set(ARRIVED, { ...MANIFEST, layers: [part('layer/of', OTHER_LIST)] });
    });
    await guard.removing('team/app', async ({ assertFree }) => {
      for (const kept of [INDEX, PLATFORMS, ARRIVED, OTHER_LIST])
        expect(() => assertFree(kept)).toThrow('leads to it');
      expect(new Set(asked)).toEqual(new Set(['v20', REFERRERS, ARRIVED]));
    });
    DOCUMENTS.delete(ARRIVED);
  });

  it('waits for a write of an immutable tag, and gives up', async () => {
    const { guard } = inMemory();
    await guard.writing('team/app', { tag: 'v1', digest: A }, async () => {
      await expect(guard.removing('team/app', async () => {})).rejects.toMatchObject({
        kind: 'unavailable',
      });
    });
  });
});
