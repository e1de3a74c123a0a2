import {
  buildArtifact,
  buildIndex,
  json,
  pushImage,
  scratchImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { as, codeOf, type StartedV2, startV2 } from '../v2.fixture.ts';

const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
const SBOM = 'application/vnd.example.sbom';
const SIGNATURE = 'application/vnd.example.signature';

let v2: StartedV2;
let image: TestImage;

beforeAll(async () => {
  v2 = await startV2();
  image = await scratchImage();
});

afterAll(() => v2?.stop());

beforeEach(() => {
  v2.referrers.length = 0;
});

interface Index {
  schemaVersion: number;
  mediaType: string;
  manifests: {
    digest: string;
    artifactType?: string;
    annotations?: Record<string, string>;
    size: number;
  }[];
}

const artifact = (artifactType: string, text: string) =>
  buildArtifact({
    artifactType,
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from(text) }],
    subject: image.descriptor,
  });

async function list(repository: string, query = '', who = 'writer') {
  const answer = await fetch(
    `${v2.url}/v2/${repository}/referrers/${image.digest}${query}`,
    as(who),
  );
  expect(answer.headers.get('content-type')).toBe(OCI_INDEX);
  const index = (await json(answer)) as Index;
  return { answer, index, digests: index.manifests.map(({ digest }) => digest) };
}

/** The manifest goes through `/v2`, its blobs directly to the registry. */
async function put(repository: string, manifest: TestImage): Promise<Response> {
  await pushImage(v2.registry.url, `${repository}`, 'blobs', manifest);
  return fetch(
    `${v2.url}/v2/${repository}/manifests/${manifest.digest}`,
    as('writer', {
      method: 'PUT',
      body: Buffer.from(manifest.bytes),
      headers: { 'content-type': manifest.descriptor.mediaType },
    }),
  );
}

const sorted = (...images: TestImage[]) => images.map(({ digest }) => digest).sort();

describe('referrers', () => {
  it('of an unknown manifest are an empty index', async () => {
    const { answer, index } = await list('team/never');
    expect(answer.status).toBe(200);
    expect(index).toEqual({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] });
  });

  it('are listed when they are put, even before their subject, and are not once they are deleted', async () => {
    const [sbom, signature] = [artifact(SBOM, 'sbom'), artifact(SIGNATURE, 'signature')];
    for (const each of [sbom, signature]) {
      const stored = await put('team/listed', each);
      expect([stored.status, stored.headers.get('oci-subject')]).toEqual([201, image.digest]);
    }
    const { index, digests } = await list('team/listed');
    expect(digests).toEqual(sorted(sbom, signature));
    expect(index.manifests.find(({ digest }) => digest === sbom.digest)).toMatchObject({
      mediaType: sbom.descriptor.mediaType,
      artifactType: SBOM,
      size: sbom.bytes.length,
    });
    await fetch(
      `${v2.url}/v2/team/listed/manifests/${sbom.digest}`,
      as('writer', { method: 'DELETE' }),
    );
    expect((await list('team/listed')).digests).toEqual([signature.digest]);
  });

  it('belong to their repository', async () => {
    await put('team/mine', artifact(SBOM, 'mine'));
    expect((await list('team/yours')).digests).toEqual([]);
  });

  it('are filtered by type, and the answer says so', async () => {
    const sbom = artifact(SBOM, 'a');
    for (const each of [sbom, artifact(SIGNATURE, 'b')]) await put('team/typed', each);
    const { answer, digests } = await list(
      'team/typed',
      `?artifactType=${encodeURIComponent(SBOM)}`,
    );
    expect(answer.headers.get('oci-filters-applied')).toBe('artifactType');
    expect(digests).toEqual([sbom.digest]);
    expect((await list('team/typed')).answer.headers.get('oci-filters-applied')).toBeNull();
  });

  it('without a subject are not listed, and are stored without the header', async () => {
    const stored = await put('team/plain', image);
    expect([stored.status, stored.headers.get('oci-subject')]).toEqual([201, null]);
    expect(v2.referrers).toEqual([]);
  });

  it('come in pages, each found once', async () => {
    const all = Array.from({ length: 205 }, (_, at) => ({
      repository: 'team/many',
      digest: `sha256:${at.toString(16).padStart(64, '0')}`,
      subject: image.digest,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      artifactType: SBOM,
      size: 1,
      annotations: null,
    }));
    v2.referrers.push(...all);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let query = `?artifactType=${encodeURIComponent(SBOM)}`; query; ) {
      const { answer, digests } = await list('team/many', query);
      sizes.push(digests.length);
      seen.push(...digests);
      query = /\?[^>]*/.exec(answer.headers.get('link') ?? '')?.[0] ?? '';
    }
    expect(sizes).toEqual([100, 100, 5]);
    expect(seen).toEqual(all.map(({ digest }) => digest));
  });

  it('with megabytes of annotations are split into pages that clients accept', async () => {
    const annotations = { text: 'x'.repeat(2 * 1024 * 1024) };
    v2.referrers.push(
      ...['a', 'b', 'c'].map((letter) => ({
        repository: 'team/long',
        digest: `sha256:${letter.repeat(64)}`,
        subject: image.digest,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        artifactType: SBOM,
        size: 1,
        annotations,
      })),
    );
    const { answer, digests } = await list('team/long');
    expect(digests).toHaveLength(1);
    expect(answer.headers.get('link')).toContain('rel="next"');
  });

  it('are readable with the right to pull', async () => {
    const path = `${v2.url}/v2/team/listed/referrers/${image.digest}`;
    expect((await fetch(path, as('reader'))).status).toBe(200);
    const refused = await fetch(path, as('nobody'));
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'DENIED']);
  });
});

describe('the index under the tag of a subject, for referrers pushed directly to the registry', () => {
  const tag = () => image.digest.replace(':', '-');

  async function tagged(repository: string, referrers: TestImage[]): Promise<void> {
    for (const each of referrers) await pushImage(v2.registry.url, repository, null, each);
    const named = referrers.map((each) => ({
      ...each,
      descriptor: { ...each.descriptor, artifactType: SBOM },
    }));
    await pushImage(v2.registry.url, repository, tag(), buildIndex(named));
  }

  it('is merged with ours, each found once', async () => {
    const both = artifact(SBOM, 'both');
    const theirs = artifact(SBOM, 'theirs');
    const ours = artifact(SBOM, 'ours');
    await tagged('team/merged', [both, theirs]);
    for (const each of [both, ours]) await put('team/merged', each);
    expect((await list('team/merged')).digests).toEqual(sorted(both, theirs, ours));
    const filtered = await list('team/merged', `?artifactType=${encodeURIComponent(SIGNATURE)}`);
    expect(filtered.digests).toEqual([]);
  });

  it('excludes deleted referrers', async () => {
    const [gone, kept] = [artifact(SBOM, 'gone'), artifact(SBOM, 'kept')];
    await tagged('team/dangling', [gone, kept]);
    const removed = await fetch(
      `${v2.url}/v2/team/dangling/manifests/${gone.digest}`,
      as('writer', { method: 'DELETE' }),
    );
    expect(removed.status).toBe(202);
    expect((await list('team/dangling')).digests).toEqual([kept.digest]);
  });

  it('is ignored if it is not an index', async () => {
    await pushImage(v2.registry.url, 'team/strange', tag(), image);
    expect((await list('team/strange')).digests).toEqual([]);
  });
});
