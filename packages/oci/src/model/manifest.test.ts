import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertOneSizeEach, successors } from '../copy/successors.ts';
import { OciError } from '../oci-error.ts';
import { parseManifest } from './manifest.ts';
import {
  DOCKER_INDEX,
  DOCKER_MANIFEST,
  DOCKER_SCHEMA1,
  DOCKER_SCHEMA1_SIGNED,
  essenceOf,
  isForeign,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
} from './media-type.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const config = { mediaType: OCI_CONFIG, digest: digest('c'), size: 2 };
const layer = {
  mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
  digest: digest('a'),
  size: 10,
};
const child = {
  mediaType: OCI_MANIFEST,
  digest: digest('b'),
  size: 20,
  platform: { os: 'linux', architecture: 'arm64', variant: 'v8' },
};
const manifest = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: [layer] };
const index = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [child] };

function parse(document: unknown, mediaType = '') {
  return parseManifest(Buffer.from(JSON.stringify(document)), mediaType);
}

describe('a manifest', () => {
  it.each([
    ['of the OCI', manifest, OCI_MANIFEST],
    ['of docker', { ...manifest, mediaType: DOCKER_MANIFEST }, DOCKER_MANIFEST],
    ['with no media type within', { ...manifest, mediaType: undefined }, OCI_MANIFEST],
    ['with parameters on its media type', manifest, `${OCI_MANIFEST}; charset=utf-8`],
    ['served as plain JSON', manifest, 'application/json'],
    ['that says nowhere what it is', { ...manifest, mediaType: undefined }, ''],
    [
      'with null where nothing is',
      { ...manifest, annotations: null, subject: null, artifactType: null },
      OCI_MANIFEST,
    ],
    ['without layers', { ...manifest, layers: [] }, OCI_MANIFEST],
    ['with unknown fields', { ...manifest, extra: { a: 1 } }, OCI_MANIFEST],
  ])('%s is read', async (_, document, mediaType) => {
    expect(await parse(document, mediaType)).toMatchObject({ kind: 'manifest', config });
  });

  it.each([
    ['of the OCI', index, OCI_INDEX],
    ['of docker', { ...index, mediaType: DOCKER_INDEX }, DOCKER_INDEX],
    ['that says nowhere what it is', { ...index, mediaType: undefined }, 'text/plain'],
    ['of nothing', { ...index, manifests: [] }, OCI_INDEX],
  ])('that is an index %s is read', async (_, document, mediaType) => {
    expect((await parse(document, mediaType)).kind).toBe('index');
  });

  it.each([
    ['of schema 1', { schemaVersion: 1, fsLayers: [] }, DOCKER_SCHEMA1, 'MANIFEST_SCHEMA1'],
    [
      'of schema 1, signed',
      { schemaVersion: 1, fsLayers: [] },
      DOCKER_SCHEMA1_SIGNED,
      'MANIFEST_SCHEMA1',
    ],
    [
      'of schema 1, under a vague type',
      { schemaVersion: 1, fsLayers: [] },
      'application/json',
      'MANIFEST_SCHEMA1',
    ],
    [
      'of schema 1, in an index',
      { ...index, manifests: [{ ...child, mediaType: DOCKER_SCHEMA1 }] },
      OCI_INDEX,
      'MANIFEST_SCHEMA1',
    ],
    [
      'of an unknown type',
      { ...manifest, mediaType: undefined },
      'application/vnd.x+json',
      'MANIFEST_UNSUPPORTED',
    ],
    ['of another type within than outside', manifest, OCI_INDEX, 'MANIFEST_INVALID'],
    ['that is also an index', { ...manifest, manifests: [] }, OCI_MANIFEST, 'MANIFEST_INVALID'],
    [
      'that is an index and has layers too',
      { ...index, layers: [] },
      OCI_INDEX,
      'MANIFEST_INVALID',
    ],
    [
      'whose Layers are for other readers',
      { ...manifest, Layers: [layer] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'without a schema version',
      { ...manifest, schemaVersion: undefined },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    ['without a config', { ...manifest, config: undefined }, OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['whose layers are no list', { ...manifest, layers: {} }, OCI_MANIFEST, 'MANIFEST_INVALID'],
    [
      'with a negative size',
      { ...manifest, layers: [{ ...layer, size: -1 }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with a size in quotes',
      { ...manifest, layers: [{ ...layer, size: '10' }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with a size beyond counting',
      { ...manifest, layers: [{ ...layer, size: 2 ** 53 }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with a path for a digest',
      { ...manifest, layers: [{ ...layer, digest: 'sha256:../../etc' }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with an upper-case digest',
      { ...manifest, layers: [{ ...layer, digest: digest('A') }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with md5',
      { ...manifest, layers: [{ ...layer, digest: `md5:${'a'.repeat(32)}` }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with a media type of two lines',
      { ...manifest, layers: [{ ...layer, mediaType: 'a/b\r\nX: y' }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with numbers for annotations',
      { ...manifest, annotations: { a: 1 } },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'with urls that are no list',
      { ...manifest, layers: [{ ...layer, urls: 'x' }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'whose layer has a Digest for other readers',
      { ...manifest, layers: [{ ...layer, Digest: digest('b') }] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'whose configuration has its dige\u017Ft for other readers alone',
      { ...manifest, config: { ...config, 'dige\u017Ft': digest('b') } },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'whose child has its Platform for other readers alone',
      { ...index, manifests: [{ ...child, platform: undefined, Platform: { os: 'linux' } }] },
      OCI_INDEX,
      'MANIFEST_INVALID',
    ],
    [
      'whose child has an OS for other readers alone',
      { ...index, manifests: [{ ...child, platform: { OS: 'linux', architecture: 'arm64' } }] },
      OCI_INDEX,
      'MANIFEST_INVALID',
    ],
    [
      'whose layer\u017F are for other readers (S15)',
      { ...manifest, 'layer\u017F': [layer] },
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    ['that is a list', [], OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['that is null', null, OCI_MANIFEST, 'MANIFEST_INVALID'],
  ])('%s is refused', async (_, document, mediaType, code) => {
    await expect(parse(document, mediaType)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['no JSON', Buffer.from('{')],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a byte order mark', Buffer.from(`\uFEFF${JSON.stringify(manifest)}`)],
    ['nothing', Buffer.alloc(0)],
    ['layers twice (G8)', Buffer.from(`{"layers":[],${JSON.stringify(manifest).slice(1)}`)],
    [
      'a digest twice in a layer (G8)',
      Buffer.from(
        JSON.stringify(manifest).replace('"digest":', `"digest":"${digest('b')}","digest":`),
      ),
    ],
    [
      'a hundred thousand annotations (G9)',
      Buffer.from(
        JSON.stringify({
          ...manifest,
          annotations: Object.fromEntries(
            Array.from({ length: 100_000 }, (_, at) => [`a${at}`, 'x']),
          ),
        }),
      ),
    ],
  ])('of %s is refused', async (_, bytes) => {
    await expect(parseManifest(bytes, OCI_MANIFEST)).rejects.toThrow(
      expect.objectContaining({ code: 'MANIFEST_INVALID' }),
    );
  });

  it('that is too large or too wide is refused', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...manifest, layers: [layer, layer] }));
    await expect(parseManifest(bytes, OCI_MANIFEST, { maxManifestBytes: 10 })).rejects.toThrow(
      /10 are allowed/,
    );
    await expect(parseManifest(bytes, OCI_MANIFEST, { maxWidth: 1 })).rejects.toThrow(
      /1 are allowed/,
    );
  });

  it('keeps the fields of its descriptors', async () => {
    const foreign = { ...layer, urls: ['https://example.com'], annotations: { a: 'b' } };
    const subject = { mediaType: OCI_MANIFEST, digest: digest('d'), size: 5 };
    expect(
      await parse({
        ...manifest,
        layers: [foreign],
        subject,
        artifactType: 'a/b',
        annotations: { c: 'd' },
      }),
    ).toEqual({
      kind: 'manifest',
      mediaType: OCI_MANIFEST,
      artifactType: 'a/b',
      subject,
      annotations: { c: 'd' },
      config,
      layers: [foreign],
    });
    expect(await parse(index)).toMatchObject({ manifests: [child] });
  });

  it('of any JSON is parsed or refused with an OciError', async () => {
    const field = fc.constantFrom(
      'schemaVersion',
      'mediaType',
      'config',
      'layers',
      'manifests',
      'digest',
      'size',
      'platform',
      'urls',
    );
    const known = fc.constantFrom<unknown>(
      2,
      OCI_MANIFEST,
      OCI_INDEX,
      config,
      [layer],
      [child],
      digest('a'),
    );
    const document = fc.dictionary(field, fc.oneof(known, fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.constantFrom('', OCI_MANIFEST, OCI_INDEX),
        async (value, mediaType) => {
          try {
            expect(['manifest', 'index']).toContain((await parse(value, mediaType)).kind);
          } catch (error) {
            expect(error).toBeInstanceOf(OciError);
          }
        },
      ),
    );
  });
});

describe('successors', () => {
  it('are the config and the layers, each once', async () => {
    expect(
      successors(await parse({ ...manifest, layers: [layer, layer] })).map(({ digest }) => digest),
    ).toEqual([config.digest, layer.digest]);
  });
  it('are what all descriptors of a digest say together', async () => {
    const blob = { ...child, mediaType: layer.mediaType, size: child.size + 1 };
    const smaller = { ...child, size: child.size - 1 };
    for (const manifests of [
      [child, blob, smaller],
      [blob, smaller, child],
    ])
      expect(successors(await parse({ ...index, manifests }))).toEqual([
        { ...child, size: blob.size },
      ]);
    const foreign = { ...layer, urls: ['https://example.com'] };
    for (const layers of [
      [layer, foreign],
      [foreign, layer],
    ])
      expect(successors(await parse({ ...manifest, layers }))).toEqual([config, layer]);
  });
  it('are the manifests of an index, and not its subject', async () => {
    expect(successors(await parse({ ...index, subject: config }))).toEqual([child]);
  });
});

it('a document states one size of a digest', async () => {
  const larger = { ...layer, size: layer.size + 1 };
  const twice = await parse({ ...manifest, layers: [layer, layer] });
  expect(() => assertOneSizeEach(twice)).not.toThrow();
  for (const layers of [
    [layer, larger],
    [larger, layer],
  ]) {
    const document = await parse({ ...manifest, layers });
    expect(() => assertOneSizeEach(document)).toThrow(
      expect.objectContaining({ code: 'SIZE_MISMATCH' }),
    );
  }
});

describe('a media type', () => {
  it('has an essence without parameters', () =>
    expect(essenceOf(' Application/JSON ; charset=x')).toBe('application/json'));
  it.each([
    [{ ...layer, mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip' }, true],
    [{ ...layer, mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar+zstd' }, true],
    [{ ...layer, urls: ['https://example.com'] }, true],
    [{ ...layer, urls: [] }, false],
    [layer, false],
  ])('of %j: foreign is %s', (descriptor, foreign) => {
    expect(isForeign({ ...descriptor, digest: `sha256:${'a'.repeat(64)}` })).toBe(foreign);
  });
});

describe('an index', () => {
  it.each([
    ['the content of a manifest', { data: Buffer.from('{}').toString('base64') }],
    ['an address of a manifest', { urls: ['https://elsewhere.example/manifest'] }],
  ])('that brings along %s is refused, naming the manifest', async (_, more) => {
    const inlined = { ...index, manifests: [child, { ...child, ...more }] };
    await expect(parse(inlined)).rejects.toThrow(/manifests\[1\] has data or urls/);
  });

  it('of manifests with inline configurations is accepted: those are part of what is judged', async () => {
    const withData = { ...manifest, config: { ...config, data: 'e30=' } };
    expect(await parse(withData)).toMatchObject({ kind: 'manifest' });
  });
});
