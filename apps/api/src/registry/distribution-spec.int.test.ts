/**
 * The OCI distribution specification (v1.1), section by section, with the content of its 2026
 * conformance program; conformance.int.test.ts runs the older program. docs/guide/registry.md lists
 * the exceptions.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  pushBlob,
  sha256,
  type TestBlob,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type StartedV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;

beforeAll(async () => {
  v2 = await startV2();
});
afterAll(() => v2?.stop());
beforeEach(() => v2.reset());

const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar';
const EMPTY = 'application/vnd.oci.empty.v1+json';
const EXAMPLE = 'application/vnd.example.thing.v1';
const WRITER = { credentials: { username: 'writer', password: 'writerwriter' } };
const REPOSITORY = 'team/spec';

const at = (kind: 'manifests' | 'blobs', reference: string) =>
  `/v2/${REPOSITORY}/${kind}/${reference}`;
const digestBy = (algorithm: 'sha256' | 'sha512', bytes: Uint8Array) =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;

function putManifest(reference: string, { bytes, descriptor }: TestBlob): Promise<Response> {
  const headers = { 'content-type': descriptor.mediaType };
  return v2.ask('PUT', at('manifests', reference), { body: Buffer.from(bytes), headers });
}

/** Pushes its blobs and children first, each child by its digest. */
async function pushBelow(image: TestImage): Promise<void> {
  for (const blob of image.blobs) await pushBlob(v2.url, REPOSITORY, blob, WRITER);
  for (const child of image.children) {
    await pushBelow(child);
    expect((await putManifest(child.digest, child)).status).toBe(201);
  }
}

/** The same with another document; its parts remain. */
function changed(
  image: TestImage,
  change: (document: Record<string, unknown>) => object,
): TestImage {
  const document = change(JSON.parse(Buffer.from(image.bytes).toString()));
  const { descriptor, bytes } = blobOf(
    image.descriptor.mediaType,
    Buffer.from(JSON.stringify(document)),
  );
  return { ...image, descriptor, bytes, digest: descriptor.digest };
}

let made = 0;
/** Each is unique, so that a test may delete it. */
const anImage = (platform = 'linux/amd64') =>
  buildImage({ layers: [{ n: String(made++) }, { m: randomBytes(100) }], platform });

async function anArtifact(subject?: TestImage): Promise<TestImage> {
  const layers = [{ mediaType: EXAMPLE, bytes: randomBytes(100) }];
  return buildArtifact({
    artifactType: EXAMPLE,
    layers,
    ...(subject && { subject: subject.descriptor }),
  });
}

async function anIndex(subject?: TestImage): Promise<TestImage> {
  const index = buildIndex([await anImage('linux/amd64'), await anImage('linux/arm64')]);
  if (!subject) return index;
  const { mediaType, digest, size } = subject.descriptor;
  return changed(index, (document) => ({
    ...document,
    artifactType: EXAMPLE,
    subject: { mediaType, digest, size },
  }));
}

const large = () =>
  Object.fromEntries(Array.from({ length: 390 }, (_, n) => [`large-${n}`, 'A'.repeat(10_000)]));

async function nonDistributable(): Promise<TestImage> {
  const type = 'application/vnd.oci.image.layer.nondistributable.v1.tar';
  return changed(await anImage(), ({ layers, ...document }) => ({
    ...document,
    layers: [
      ...[`${type}+gzip`, type].map((mediaType) => {
        const digest = sha256(randomBytes(100));
        return {
          mediaType,
          digest,
          size: 12_345,
          urls: [`https://store.example.com/blobs/${digest}`],
        };
      }),
      ...(layers as object[]),
    ],
  }));
}

async function withData(): Promise<TestImage> {
  const image = await anImage();
  const data = (descriptor: { digest: string }) => {
    const blob = image.blobs.find((each) => each.descriptor.digest === descriptor.digest);
    return { ...descriptor, data: Buffer.from(blob?.bytes ?? []).toString('base64') };
  };
  return changed(image, (document) => ({
    ...document,
    config: data(document.config as { digest: string }),
    layers: (document.layers as { digest: string }[]).map(data),
  }));
}

async function withoutSubject(): Promise<TestImage> {
  const subject = { mediaType: OCI_MANIFEST, digest: sha256(randomBytes(10)), size: 123 };
  return changed(await anArtifact(), (document) => ({ ...document, subject }));
}

const bareLayers = [{ mediaType: EMPTY, bytes: Buffer.from('{}') }];

/** Content that is pushed completely, under a tag. */
const CONTENT: [string, () => Promise<TestImage> | TestImage][] = [
  ['an image', anImage],
  [
    'an image without compression',
    () => buildImage({ layers: [{ a: String(made++) }], compression: 'none' }),
  ],
  [
    'an image whose manifest has 3.9 MB',
    async () => changed(await anImage(), (it) => ({ ...it, annotations: large() })),
  ],
  [
    'an image without a layer',
    () => buildImage({ layers: [], annotations: { n: String(made++) } }),
  ],
  ['an image with `data` in its descriptors', withData],
  ['an image with non-distributable layers', nonDistributable],
  [
    'an image with other fields',
    async () => changed(await anImage(), (it) => ({ ...it, 'org.example.own': { a: [1] } })),
  ],
  [
    'an image without `mediaType`',
    async () => changed(await anImage(), ({ mediaType: _, ...it }) => it),
  ],
  ['an index', () => anIndex()],
  ['an index of indexes', async () => buildIndex([await anIndex(), await anIndex()])],
  ['an empty index', () => buildIndex([], { annotations: { n: String(made++) } })],
  ['an artifact', () => anArtifact()],
  ['an index of artifacts', async () => buildIndex([await anArtifact(), await anArtifact()])],
  [
    'an artifact without layers',
    () => buildArtifact({ artifactType: `${EXAMPLE}.${made++}`, layers: bareLayers }),
  ],
  [
    'an artifact with an empty list of layers',
    () => buildArtifact({ artifactType: `${EXAMPLE}.${made++}`, layers: [] }),
  ],
  ['an artifact whose subject is missing', withoutSubject],
];

describe.each(CONTENT)('§ Push, Pull and Content Management: %s', (_, make) => {
  it('is stored and served byte for byte, by tag and by digest, and is a 404 after its deletion', async () => {
    const image = await make();
    await pushBelow(image);
    const stored = await putManifest('latest', image);
    expect([stored.status, stored.headers.get('docker-content-digest')]).toEqual([
      201,
      image.digest,
    ]);
    expect(stored.headers.get('location')).toBe(at('manifests', image.digest));
    for (const reference of ['latest', image.digest]) {
      const headers = { accept: `${OCI_MANIFEST}, ${OCI_INDEX}` };
      const head = await v2.ask('HEAD', at('manifests', reference), { headers });
      const get = await v2.ask('GET', at('manifests', reference), { headers });
      for (const answer of [head, get]) {
        expect([answer.status, answer.headers.get('docker-content-digest')]).toEqual([
          200,
          image.digest,
        ]);
        expect(answer.headers.get('content-type')).toBe(image.descriptor.mediaType);
        expect(answer.headers.get('content-length')).toBe(String(image.bytes.length));
      }
      expect(Buffer.from(await get.arrayBuffer()).equals(image.bytes)).toBe(true);
    }
    for (const { descriptor, bytes } of image.blobs) {
      const blob = await v2.ask('GET', at('blobs', descriptor.digest));
      expect(Buffer.from(await blob.arrayBuffer()).equals(bytes)).toBe(true);
    }
    expect((await v2.ask('DELETE', at('manifests', 'latest'))).status).toBe(202);
    expect((await v2.ask('HEAD', at('manifests', 'latest'))).status).toBe(404);
    expect((await v2.ask('HEAD', at('manifests', image.digest))).status).toBe(200);
    expect((await v2.ask('DELETE', at('manifests', image.digest))).status).toBe(202);
    expect((await v2.ask('HEAD', at('manifests', image.digest))).status).toBe(404);
  });
});

describe('§ Pulling blobs', () => {
  let blob: TestBlob;
  beforeAll(async () => {
    blob = blobOf('application/octet-stream', randomBytes(10_000));
    await pushBlob(v2.url, REPOSITORY, blob, WRITER);
  });

  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, 10_000],
    ['bytes=-100', 9_900, 10_000],
    ['bytes=9999-20000', 9_999, 10_000],
    ['bytes=-20000', 0, 10_000],
  ])('a range %s is served from %i to %i', async (range, from, to) => {
    const answer = await v2.ask('GET', at('blobs', blob.descriptor.digest), { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/10000`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(blob.bytes.slice(from, to))).toBe(true);
  });

  it.each(['bytes=10000-', 'bytes=20000-30000', 'bytes=-0'])(
    'a range %s can not be met',
    async (range) => {
      const answer = await v2.ask('GET', at('blobs', blob.descriptor.digest), {
        headers: { range },
      });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10000']);
    },
  );

  it('HEAD says the size and the digest', async () => {
    const head = await v2.ask('HEAD', at('blobs', blob.descriptor.digest));
    const said = ['content-length', 'docker-content-digest', 'accept-ranges'].map((name) =>
      head.headers.get(name),
    );
    expect([head.status, ...said]).toEqual([200, '10000', blob.descriptor.digest, 'bytes']);
  });
});

describe('§ Pushing blobs', () => {
  const UPLOADS = `/v2/${REPOSITORY}/blobs/uploads/`;
  const begin = async () => (await v2.ask('POST', UPLOADS)).headers.get('location') ?? '';
  const patch = (location: string, bytes: Buffer<ArrayBuffer>, range?: string) =>
    v2.ask('PATCH', location, {
      body: bytes,
      ...(range !== undefined && { headers: { 'content-range': range } }),
    });
  const close = (location: string, digest: string, body?: Buffer<ArrayBuffer>) =>
    v2.ask('PUT', `${location}&digest=${encodeURIComponent(digest)}`, body ? { body } : {});

  it('POST then PUT', async () => {
    const bytes = randomBytes(500);
    const stored = await close(await begin(), sha256(bytes), bytes);
    expect([stored.status, stored.headers.get('location')]).toEqual([
      201,
      at('blobs', sha256(bytes)),
    ]);
    expect(stored.headers.get('docker-content-digest')).toBe(sha256(bytes));
  });

  it('a single POST is accepted, or becomes an upload', async () => {
    const bytes = randomBytes(500);
    const answer = await v2.ask('POST', `${UPLOADS}?digest=${sha256(bytes)}`, { body: bytes });
    expect([201, 202]).toContain(answer.status);
    expect(answer.headers.get('location')).toMatch(/^\/v2\/team\/spec\/blobs\//);
  });

  it.each([
    ['PATCH', 'PUT without a body', false],
    ['PATCH', 'PUT with the last chunk', true],
  ])('in chunks: %s, and %s', async (_, __, isLastInPut) => {
    const chunks = [randomBytes(400), randomBytes(300), randomBytes(200)];
    const digest = sha256(Buffer.concat(chunks));
    let location = await begin();
    let offset = 0;
    const sent = isLastInPut ? chunks.slice(0, -1) : chunks;
    for (const chunk of sent) {
      const answer = await patch(location, chunk, `${offset}-${offset + chunk.length - 1}`);
      offset += chunk.length;
      expect([answer.status, answer.headers.get('range')]).toEqual([202, `0-${offset - 1}`]);
      location = answer.headers.get('location') ?? '';
    }
    const stored = await close(location, digest, isLastInPut ? chunks.at(-1) : undefined);
    expect(stored.status).toBe(201);
    const served = await v2.ask('GET', at('blobs', digest));
    expect(Buffer.from(await served.arrayBuffer()).equals(Buffer.concat(chunks))).toBe(true);
  });

  it.each([
    ['the second chunk first', '400-799'],
    ['a chunk that begins too early', '50-449'],
    ['a chunk that begins too late', '150-549'],
  ])('%s is 416, and the upload reports its offset', async (_, range) => {
    const bytes = randomBytes(400);
    const first = await patch(await begin(), bytes.subarray(0, 100), '0-99');
    const refused = await patch(first.headers.get('location') ?? '', bytes, range);
    expect([refused.status, refused.headers.get('range')]).toEqual([416, '0-99']);
    const uploadStatus = await v2.ask('GET', first.headers.get('location') ?? '');
    expect([uploadStatus.status, uploadStatus.headers.get('range')]).toEqual([204, '0-99']);
    const rest = await patch(
      uploadStatus.headers.get('location') ?? '',
      bytes.subarray(100),
      '100-399',
    );
    expect(rest.status).toBe(202);
    expect((await close(rest.headers.get('location') ?? '', sha256(bytes))).status).toBe(201);
  });

  it('a blob under a digest that is not its own is refused', async () => {
    const refused = await close(await begin(), sha256(randomBytes(1)), randomBytes(100));
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'DIGEST_INVALID']);
  });

  it('§ Canceling: a cancelled upload is unknown', async () => {
    const first = await patch(await begin(), randomBytes(100), '0-99');
    const location = first.headers.get('location') ?? '';
    expect((await v2.ask('DELETE', location)).status).toBe(204);
    expect((await v2.ask('GET', location)).status).toBe(404);
    expect((await patch(location, randomBytes(100), '100-199')).status).toBe(404);
  });

  describe('§ Mounting a blob from another repository', () => {
    const mount = (digest: string, query: string) =>
      v2.ask('POST', `/v2/team/mounted/blobs/uploads/?mount=${digest}${query}`);

    it.each([
      ['from a repository that has it', '&from=team/spec', 201],
      ['from a repository that lacks it', '&from=team/absent', 202],
      ['from a repository that the account may not pull', '&from=secret/app', 202],
      ['from no repository', '', 202],
    ])('%s (%s): %i', async (_, query, status) => {
      const blob = blobOf('application/octet-stream', randomBytes(100));
      await pushBlob(v2.url, REPOSITORY, blob, WRITER);
      const { digest } = blob.descriptor;
      const answer = await mount(digest, query);
      expect(answer.status).toBe(status);
      const location = answer.headers.get('location') ?? '';
      if (status === 201) expect(location).toBe(`/v2/team/mounted/blobs/${digest}`);
      else expect((await close(location, digest, Buffer.from(blob.bytes))).status).toBe(201);
      expect((await v2.ask('GET', `/v2/team/mounted/blobs/${digest}`)).status).toBe(200);
    });
  });
});

describe('§ Pushing Manifests with Subject, § Listing Referrers', () => {
  interface Listed {
    digest: string;
    artifactType?: string;
    annotations?: Record<string, string>;
  }
  async function referrersOf(
    digest: string,
    query = '',
  ): Promise<{ answer: Response; listed: Listed[] }> {
    const answer = await v2.ask('GET', `/v2/${REPOSITORY}/referrers/${digest}${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, OCI_INDEX]);
    const { manifests } = (await answer.json()) as { manifests: Listed[] };
    return { answer, listed: manifests };
  }

  it.each<[string, (subject: TestImage) => Promise<TestImage>]>([
    ['an artifact', anArtifact],
    ['an index', anIndex],
  ])(
    '%s: the answer names the subject, and the list has it until it is deleted',
    async (_, make) => {
      const subject = await anImage();
      await pushBelow(subject);
      await putManifest('subject', subject);
      const referrer = await make(subject);
      await pushBelow(referrer);
      const stored = await putManifest(referrer.digest, referrer);
      expect([stored.status, stored.headers.get('oci-subject')]).toEqual([201, subject.digest]);
      const { listed } = await referrersOf(subject.digest);
      expect(listed).toEqual([
        expect.objectContaining({ digest: referrer.digest, artifactType: EXAMPLE }),
      ]);
      await v2.ask('DELETE', at('manifests', referrer.digest));
      expect((await referrersOf(subject.digest)).listed).toEqual([]);
    },
  );

  it('a subject that is missing has referrers, too', async () => {
    const referrer = await withoutSubject();
    await pushBelow(referrer);
    const { subject } = JSON.parse(Buffer.from(referrer.bytes).toString());
    const stored = await putManifest('tagged', referrer);
    expect([stored.status, stored.headers.get('oci-subject')]).toEqual([201, subject.digest]);
    expect((await referrersOf(subject.digest)).listed.map(({ digest }) => digest)).toEqual([
      referrer.digest,
    ]);
  });

  it('are listed by their type, by default that of the configuration, with their annotations', async () => {
    const subject = await anImage();
    await pushBelow(subject);
    await putManifest('typed', subject);
    const { mediaType, digest, size } = subject.descriptor;
    const image = changed(await anImage(), (it) => ({
      ...it,
      subject: { mediaType, digest, size },
    }));
    const artifact = changed(await anArtifact(subject), (it) => ({
      ...it,
      annotations: { 'org.example': 'kept' },
    }));
    for (const referrer of [image, artifact]) {
      await pushBelow(referrer);
      await putManifest(referrer.digest, referrer);
    }
    const all = (await referrersOf(digest)).listed.map(({ artifactType }) => artifactType);
    expect(all.sort()).toEqual([EXAMPLE, 'application/vnd.oci.image.config.v1+json'].sort());
    const { answer, listed } = await referrersOf(
      digest,
      `?artifactType=${encodeURIComponent(EXAMPLE)}`,
    );
    expect(answer.headers.get('oci-filters-applied')).toBe('artifactType');
    expect(listed).toEqual([
      expect.objectContaining({ digest: artifact.digest, annotations: { 'org.example': 'kept' } }),
    ]);
  });

  it('are none for a digest without referrers, and an invalid digest is 400', async () => {
    expect((await referrersOf(sha256(randomBytes(9)))).listed).toEqual([]);
    expect((await v2.ask('GET', `/v2/${REPOSITORY}/referrers/none`)).status).toBe(400);
  });
});

describe('the exceptions that docs/guide/registry.md lists', () => {
  async function pushed(bytes: Buffer<ArrayBuffer>): Promise<{ digest: string; stored: Response }> {
    const digest = digestBy('sha512', bytes);
    const started = await v2.ask(
      'POST',
      `/v2/${REPOSITORY}/blobs/uploads/?digest-algorithm=sha512`,
    );
    const location = `${started.headers.get('location')}&digest=${digest}`;
    return { digest, stored: await v2.ask('PUT', location, { body: bytes }) };
  }

  it('a blob that is pushed by sha512 is checked and served by it, but the answers name its sha256 digest', async () => {
    const bytes = randomBytes(300);
    const { digest, stored } = await pushed(bytes);
    expect([stored.status, stored.headers.get('docker-content-digest')]).toEqual([
      201,
      sha256(bytes),
    ]);
    expect(stored.headers.get('location')).toBe(at('blobs', sha256(bytes)));
    const served = await v2.ask('GET', at('blobs', digest));
    expect([served.status, served.headers.get('docker-content-digest')]).toEqual([
      200,
      sha256(bytes),
    ]);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    const started = await v2.ask('POST', `/v2/${REPOSITORY}/blobs/uploads/`);
    const wrong = `${started.headers.get('location')}&digest=${digestBy('sha512', randomBytes(3))}`;
    expect((await v2.ask('PUT', wrong, { body: bytes })).status).toBe(400);
  });

  it('a manifest may name a layer by sha512, but is not stored under a sha512 digest itself', async () => {
    const bytes = randomBytes(300);
    const { digest } = await pushed(bytes);
    const image = await anImage();
    await pushBelow(image);
    const layers = [{ mediaType: OCI_LAYER, digest, size: bytes.length }];
    expect(
      (
        await putManifest(
          'by-sha512',
          changed(image, (it) => ({ ...it, layers })),
        )
      ).status,
    ).toBe(201);
    const own = digestBy('sha512', image.bytes);
    const refused = await putManifest(own, image);
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'DIGEST_INVALID']);
    expect((await v2.ask('GET', at('manifests', own))).status).toBe(404);
  });

  it('an index names its manifests by sha256', async () => {
    const image = await anImage();
    await pushBelow(image);
    await putManifest(image.digest, image);
    const digest = digestBy('sha512', image.bytes);
    const manifests = [{ mediaType: OCI_MANIFEST, digest, size: image.bytes.length }];
    const refused = await putManifest(
      'index',
      changed(buildIndex([]), (it) => ({ ...it, manifests })),
    );
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'MANIFEST_BLOB_UNKNOWN']);
  });

  it('the content that a manifest or an index names must exist', async () => {
    const [here, absent] = [await anImage(), await anImage()];
    await pushBelow(here);
    await putManifest(here.digest, here);
    const sparse = await putManifest('sparse', buildIndex([here, absent]));
    expect([sparse.status, await codeOf(sparse)]).toEqual([400, 'MANIFEST_BLOB_UNKNOWN']);
    const lacking = await putManifest('sparse', absent);
    expect([lacking.status, await codeOf(lacking)]).toEqual([400, 'MANIFEST_BLOB_UNKNOWN']);
  });

  it('a manifest that is put by its digest with `tag` parameters gets no tag', async () => {
    const image = await anImage();
    await pushBelow(image);
    const stored = await putManifest(`${image.digest}?tag=one&tag=two`, image);
    expect([stored.status, stored.headers.get('oci-tag')]).toEqual([201, null]);
    expect((await v2.ask('HEAD', at('manifests', 'one'))).status).toBe(404);
  });
});
