import { createHash } from 'node:crypto';
import { notFound } from '@portcullis/errors';
import {
  type Descriptor,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
  parseDigest,
  type Source,
} from '@portcullis/oci';
import { expect, it } from 'vitest';
import { describeImage } from './describe.ts';

const stored = new Map<string, Buffer>();

const source: Source = {
  resolve: () => Promise.reject(new Error('nobody asks')),
  fetch: async ({ digest }) => ({
    offset: 0,
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      yield stored.get(digest) ?? Buffer.alloc(0);
    },
  }),
};

function put(mediaType: string, document: object): Descriptor {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = parseDigest(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  stored.set(digest, bytes);
  return { mediaType, digest, size: bytes.length };
}

const none = { known: async () => new Set<string>() };

it('values that no column can store are omitted, and the rest of the image is described', async () => {
  const config = put(OCI_CONFIG, { os: 'li\0nux', architecture: 'amd64' });
  const image = put(OCI_MANIFEST, {
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    artifactType: 'a\0b',
    config,
    layers: [],
  });
  const index = put(OCI_INDEX, {
    schemaVersion: 2,
    mediaType: OCI_INDEX,
    manifests: [
      { ...image, platform: { os: 'linux', architecture: 'arm64' } },
      { ...image, platform: { os: 'x\0', architecture: 'y'.repeat(10_000) } },
    ],
  });
  const facts = await describeImage(source, index, none);
  expect(facts.map(({ platforms, artifactType }) => [platforms, artifactType])).toEqual([
    [[], null],
    [['linux/arm64'], null],
  ]);
});

it('what an index lists and the repository lacks has no size, whatever the index says', async () => {
  const manifest = { schemaVersion: 2, mediaType: OCI_MANIFEST, layers: [] };
  const config = put(OCI_CONFIG, { os: 'linux', architecture: 'amd64' });
  const here = put(OCI_MANIFEST, { ...manifest, config });
  const absent = { ...put(OCI_MANIFEST, { ...manifest, config, annotations: {} }), size: 1e12 };
  const index = put(OCI_INDEX, {
    ...{ schemaVersion: 2, mediaType: OCI_INDEX },
    manifests: [here, absent],
  });
  const lacking: Source = {
    ...source,
    async fetch(descriptor) {
      if (descriptor.digest === absent.digest) throw notFound('MANIFEST_UNKNOWN', 'not here');
      return source.fetch(descriptor);
    },
  };
  const described = await describeImage(lacking, index, none);
  expect(described.map(({ digest }) => digest)).toEqual([here.digest, index.digest]);
  expect(described.at(-1)?.contents).toEqual([
    { digest: here.digest, size: here.size, isManifest: true },
    { digest: absent.digest, size: 0, isManifest: true },
  ]);
});

it.each<[string, object, string | null]>([
  ['its type', { artifactType: 'application/spdx+json' }, 'application/spdx+json'],
  ['the type of its configuration', {}, OCI_CONFIG],
  ['no type that no column can store', { artifactType: 'a\0b' }, null],
])('what refers to an image is listed with %s and its annotations', async (_, type, listed) => {
  const config = put(OCI_CONFIG, { os: 'linux', architecture: 'amd64' });
  const subject = put(OCI_MANIFEST, { any: 1 });
  const annotations = { by: 'ann' };
  const manifest = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: [], ...type };
  const [plain] = await describeImage(source, put(OCI_MANIFEST, manifest), none);
  expect(plain?.referrer).toBe(null);
  const refers = put(OCI_MANIFEST, { ...manifest, subject, annotations });
  const [described] = await describeImage(source, refers, none);
  expect(described?.subject).toBe(subject.digest);
  expect(described?.referrer).toEqual({ artifactType: listed, annotations });
});
