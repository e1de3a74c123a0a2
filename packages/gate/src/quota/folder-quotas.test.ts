import { notFound, unavailable } from '@portcullis/errors';
import {
  contentOf,
  type Descriptor,
  type Digest,
  digestOf,
  OCI_INDEX,
  OCI_MANIFEST,
} from '@portcullis/oci';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolderQuotas } from './folder-quotas.ts';

const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const PLACE = 'team/app';

/** What the folder team has: sizes by digest, those of manifests apart. */
const had = { blobs: new Map<string, number>(), manifests: new Map<string, number>() };
const documents = new Map<string, Uint8Array>();
/** What an index lists and was not brought in. */
const absent = new Set<string>();
const asked = { bound: 0, used: 0, present: 0, claims: 0 };
let quotaBytes: number | null;
let bound: { bytes: number; mark: string; members: string; added: bigint };
let used: number;
let earlier: number;
let claimed: () => void;
let fault: Error | null;
let sumFault: Error | null;

beforeEach(() => {
  had.blobs.clear();
  had.manifests.clear();
  Object.assign(asked, { bound: 0, used: 0, present: 0, claims: 0 });
  [quotaBytes, used, earlier, fault, sumFault] = [10_000, 0, 0, null, null];
  bound = { bytes: 0, mark: 'a', members: '1', added: 0n };
  claimed = () => {};
});

function answer<T>(value: T): Promise<T> {
  return fault ? Promise.reject(fault) : Promise.resolve(value);
}

const modes = { pushGate: 'off', pullGate: 'off', statements: 'off' } as const;
const open = createFolderQuotas({
  rules: async () => ({
    gateOf: () => ({ policyId: null, ...modes, immutableTags: [], quotaBytes }),
  }),
  folders: async () => new Set(['team']),
  contents: {
    async bound() {
      asked.bound++;
      return answer({ ...bound });
    },
    async used() {
      asked.used++;
      if (sumFault) throw sumFault;
      return answer(used);
    },
    statedSize: async () => null,
    correctSize: async () => {},
    async present(_, digests) {
      asked.present++;
      const found = digests.flatMap((digest) => {
        const manifest = had.manifests.get(digest);
        const size = manifest ?? had.blobs.get(digest);
        return size === undefined ? [] : [{ digest, size, isManifest: manifest !== undefined }];
      });
      return answer(found);
    },
  },
  open: () => ({
    async fetch({ digest }) {
      if (absent.has(digest)) throw notFound('MANIFEST_UNKNOWN', 'it is not here');
      return contentOf(documents.get(digest) ?? new Uint8Array());
    },
  }),
  claims: {
    async claim() {
      asked.claims++;
      claimed();
      return { earlier, release: async () => {} };
    },
  },
});

function blob(name: string, size: number): Descriptor {
  return { mediaType: LAYER, digest: `sha256:${name.padEnd(64, '0')}` as Digest, size };
}

async function stored(mediaType: string, parts: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...parts }));
  const digest = await digestOf(bytes);
  documents.set(digest, bytes);
  return { mediaType, digest, size: bytes.length };
}

function image(...layers: Descriptor[]): Promise<Descriptor> {
  return stored(OCI_MANIFEST, { config: blob('c', 100), layers });
}

const enters = (root: Descriptor) => open.entering(PLACE, { root }, async () => 'stored');

describe('without a quota', () => {
  it('nothing is asked for', async () => {
    quotaBytes = null;
    expect(await enters(await image(blob('a', 1e12)))).toBe('stored');
    await open.assertRoom(PLACE, null);
    expect(asked).toEqual({ bound: 0, used: 0, present: 0, claims: 0 });
  });
});

describe('an image', () => {
  it('fits with its manifest, its configuration and its layers, each once', async () => {
    const root = await image(blob('a', 5_000), blob('a', 5_000));
    quotaBytes = root.size + 5_100;
    expect(await enters(root)).toBe('stored');
    quotaBytes--;
    await expect(enters(root)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      detail: { folder: 'team', used_bytes: 0, added_bytes: root.size + 5_100 },
    });
  });

  it('adds only what the folder lacks', async () => {
    had.blobs.set(blob('a', 0).digest, 5_000).set(blob('c', 0).digest, 100);
    const root = await image(blob('a', 5_000));
    [quotaBytes, used] = [5_100 + root.size, 5_100];
    expect(await enters(root)).toBe('stored');
  });

  it('that the folder has asks for nothing more, whatever the quota is', async () => {
    const root = await image(blob('a', 5_000));
    had.manifests.set(root.digest, root.size);
    quotaBytes = 1;
    expect(await enters(root)).toBe('stored');
    expect(asked).toEqual({ bound: 0, used: 0, present: 1, claims: 0 });
  });

  it('counts the images of its index that the folder lacks', async () => {
    const children = [await image(blob('a', 1_000)), await image(blob('b', 2_000))];
    const root = await stored(OCI_INDEX, { manifests: children });
    const sizes = children.reduce((sum, { size }) => sum + size, root.size);
    quotaBytes = sizes + 3_100;
    expect(await enters(root)).toBe('stored');
    quotaBytes--;
    await expect(enters(root)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    had.manifests.set(children[0]?.digest ?? '', children[0]?.size ?? 0);
    expect(await enters(root)).toBe('stored');
  });

  it('counts nothing of a platform that is not brought in, whatever its index says', async () => {
    const here = await image(blob('a', 1_000));
    const there = { ...(await image(blob('b', 2_000))), size: 1e12 };
    absent.add(there.digest);
    const root = await stored(OCI_INDEX, { manifests: [here, there] });
    quotaBytes = root.size + here.size + 1_100;
    expect(await enters(root)).toBe('stored');
    quotaBytes--;
    await expect(enters(root)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('counts what lies beneath a manifest that another one names as a layer', async () => {
    const child = await image(blob('a', 1_000));
    const naming = (mediaType: string) =>
      stored(OCI_INDEX, { manifests: [{ ...child, mediaType }] });
    const indexes = [await naming(OCI_MANIFEST), await naming(LAYER)];
    const root = await stored(OCI_INDEX, { manifests: indexes });
    const manifests = [child, root, ...indexes];
    quotaBytes = manifests.reduce((sum, { size }) => sum + size, 1_100);
    expect(await enters(root)).toBe('stored');
    quotaBytes--;
    await expect(enters(root)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('leaves room for pushes that run', async () => {
    const root = await image(blob('a', 5_000));
    earlier = 5_000;
    await expect(enters(root)).rejects.toThrow(/, 5 kB are being pushed to it;/);
    earlier = 1_000;
    expect(await enters(root)).toBe('stored');
  });

  it('waits for a push that was answered and still holds what it added', async () => {
    const root = await image(blob('a', 5_000));
    earlier = 10_000;
    claimed = () => {
      if (asked.claims === 2) earlier = 0;
    };
    expect(await enters(root)).toBe('stored');
    expect(asked.claims).toBe(2);
  });

  it('that does not fit holds nothing that others could lack', async () => {
    const root = await image(blob('a', 20_000));
    await expect(enters(root)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(asked.claims).toBe(0);
  });

  it.each([
    ['a layer', false],
    ['an image', true],
  ])('counts %s that is deleted before its bytes are claimed', async (name, isImage) => {
    const child = await image(blob('a', 5_000));
    const root = await (isImage
      ? stored(OCI_INDEX, { manifests: [child] })
      : image(blob('a', 5_000), blob('b', 5)));
    had.blobs.set(blob('a', 0).digest, 5_000);
    if (isImage) had.manifests.set(child.digest, child.size);
    const held = isImage ? child.size + 5_100 : 5_000;
    const adds = root.size + (isImage ? 0 : 105);
    [quotaBytes, used] = [held + adds, held];
    bound = { bytes: held, mark: name, members: name, added: 0n };
    // What it had is deleted, and other images take nearly all of the space.
    claimed = () => {
      had.blobs.clear();
      had.manifests.clear();
      used = held - 1_000;
      bound = { ...bound, bytes: used, mark: `${name} later` };
    };
    await expect(enters(root)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      detail: { used_bytes: held - 1_000, added_bytes: held + adds },
    });
    quotaBytes = 20_000;
    expect(await enters(root)).toBe('stored');
  });

  it('is to come again where what it shares is deleted all the time', async () => {
    const root = await image(blob('a', 5_000));
    const layer = blob('a', 0).digest;
    had.blobs.set(layer, 5_000);
    let nth = 0;
    claimed = () => {
      had.blobs.set(layer, 5_000 - ++nth);
    };
    await expect(enters(root)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(asked.claims).toBe(5);
  });

  it('is not admitted where the index of images does not answer', async () => {
    fault = unavailable('DATABASE_UNAVAILABLE', 'no');
    await expect(enters(await image())).rejects.toBe(fault);
    await expect(open.assertRoom(PLACE, null)).rejects.toBe(fault);
  });
});

describe('the exact sum', () => {
  it('is asked for only where shared blobs might matter, and holds while little is added', async () => {
    const small = await image();
    await enters(small);
    expect(asked.used).toBe(0);
    bound = { bytes: 20_000, mark: 'b', members: 'b', added: 0n };
    used = 6_000;
    await enters(small);
    await enters(small);
    expect(asked.used).toBe(1);
    bound = { ...bound, mark: 'c', added: 1_000n };
    await enters(small);
    expect(asked.used).toBe(1);
  });

  it('is asked for again where what was added since might exceed the quota', async () => {
    bound = { bytes: 20_000, mark: 'f', members: 'f', added: 5n };
    used = 6_000;
    await open.assertRoom(PLACE, null);
    const before = asked.used;
    bound = { ...bound, mark: 'g', added: 4_005n };
    await open.assertRoom(PLACE, null);
    expect(asked.used).toBe(before + 1);
    used = 10_000;
    bound = { ...bound, mark: 'h', added: 8_005n };
    await expect(open.assertRoom(PLACE, null)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await expect(open.assertRoom(PLACE, null)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(asked.used).toBe(before + 2);
  });

  it('is asked for again where the folder has other repositories', async () => {
    bound = { bytes: 20_000, mark: 'i', members: 'i', added: 0n };
    used = 6_000;
    await open.assertRoom(PLACE, null);
    const before = asked.used;
    bound = { ...bound, mark: 'j', members: 'j' };
    await open.assertRoom(PLACE, null);
    expect(asked.used).toBe(before + 1);
  });

  it('is asked for again after a failure', async () => {
    bound = { bytes: 20_000, mark: 'd', members: 'd', added: 0n };
    sumFault = unavailable('DATABASE_UNAVAILABLE', 'no');
    await expect(open.assertRoom(PLACE, null)).rejects.toBe(sumFault);
    sumFault = null;
    await open.assertRoom(PLACE, null);
    expect(asked.used).toBe(2);
  });
});

describe('an upload', () => {
  it('starts unless the folder is full and lacks what is named', async () => {
    bound = { bytes: 10_000, mark: 'e', members: 'e', added: 0n };
    used = 10_000;
    await expect(open.assertRoom(PLACE, null)).rejects.toThrow(
      'the folder team is full: it uses 10 kB of its quota of 10 kB',
    );
    await expect(open.assertRoom(PLACE, 'sha256:x')).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    had.blobs.set('sha256:x', 1);
    await open.assertRoom(PLACE, 'sha256:x');
    quotaBytes = 10_001;
    await open.assertRoom(PLACE, null);
  });
});
