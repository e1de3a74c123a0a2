import type { Descriptor, Digest, Source } from '@portcullis/oci';
import { forbidden, notFound, unauthenticated, unavailable } from '@portcullis/oci/errors';
import { describe, expect, it } from 'vitest';
import { answersOf, keyAuthority } from '../facts.fixture.ts';
import { LIMITS } from '../limits.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  pushManifest,
  pushReferrersTag,
  sampleRepository,
} from '../repository.fixture.ts';
import {
  BUNDLE,
  bundleLayer,
  envelope,
  keyBundle,
  SIMPLE_SIGNING,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
  statement,
} from '../signing.fixture.ts';
import { collectSignatures } from './collect.ts';

const key = sampleKey();
const authority = keyAuthority(key.pem);
const bundleOf = (digest: Digest, change: object = {}) =>
  bundleLayer(keyBundle(envelope(key, statement(digest, change))));

describe('signatures are found', () => {
  it('in none of the places of an image without any', async () => {
    const { store, image } = await sampleRepository();
    const none = { signatures: [], unread: 0, isComplete: true };
    expect(await collectSignatures(store, image.digest)).toEqual(none);
  });

  it('at the index, where one asks about its platforms, and at a platform for that alone', async () => {
    const repository = await sampleRepository();
    await attachReferrer(repository, [bundleOf(repository.image.digest)]);
    const other = await sampleRepository('another platform');
    const { store } = repository;
    expect((await collectSignatures(store, other.image.digest)).signatures).toEqual([]);
    const { signatures } = await collectSignatures(store, repository.image.digest);
    expect(signatures.map(({ origin }) => origin.subject)).toEqual([repository.image.digest]);
  });

  it.each([
    [
      'the type of nothing, as cosign 3 writes it (GiganticMinecraft/seichi_infra #5513)',
      'application/vnd.oci.empty.v1+json',
    ],
    ['no type', undefined],
    ['the type of a bundle', BUNDLE],
    ['the type of an older bundle', 'application/vnd.dev.sigstore.bundle+json;version=0.1'],
  ])('in the list under a tag whose entry has %s', async (_, artifactType) => {
    const repository = await sampleRepository();
    const { store, image } = repository;
    const layers = [bundleOf(image.digest)];
    const manifest = await pushManifest(store, { layers });
    await pushReferrersTag(repository, [{ ...manifest, artifactType }]);
    expect(await answersOf(repository, authority)).toEqual(['counts']);
  });

  it('once, where a bundle is listed by the API and under the tag', async () => {
    const repository = await sampleRepository();
    const manifest = await attachReferrer(repository, [bundleOf(repository.image.digest)]);
    await pushReferrersTag(repository, [{ ...manifest, artifactType: BUNDLE }]);
    expect(await answersOf(repository, authority)).toEqual(['counts']);
  });

  it('beside referrers that are none, which are not read', async () => {
    const repository = await sampleRepository();
    const { image } = repository;
    const spdx = { mediaType: 'application/spdx+json', bytes: Buffer.from('{}') };
    await attachReferrer(repository, [spdx]);
    await attachReferrer(repository, [spdx], 'application/vnd.oci.empty.v1+json');
    await attachReferrer(repository, [bundleOf(image.digest)]);
    expect(await answersOf(repository, authority)).toEqual(['counts']);
  });

  it('of each version of a bundle', async () => {
    const repository = await sampleRepository();
    const { digest } = repository.image;
    for (const version of ['0.1', '0.2', '0.3']) {
      const mediaType = `application/vnd.dev.sigstore.bundle+json;version=${version}`;
      const bundle = keyBundle(envelope(key, statement(digest)), { mediaType });
      await attachReferrer(repository, [bundleLayer(bundle)]);
    }
    expect(await answersOf(repository, authority)).toEqual(['counts', 'counts', 'counts']);
  });
});

describe('what any account may push costs no more than is said', () => {
  it('reads a limited number of one kind, and none of another is hidden (CVE-2023-46737)', async () => {
    const repository = await sampleRepository();
    const { store, image } = repository;
    await attachByTag(repository, 'sig', junkOf(1_000));
    await attachReferrer(repository, [bundleOf(image.digest)]);
    const reads = countReads(store);
    const { signatures, unread } = await collectSignatures(reads.source, image.digest);
    expect([signatures.length, unread]).toEqual([LIMITS.signatures, 1_001 - LIMITS.signatures]);
    expect(signatures.filter(({ content }) => content)).toHaveLength(1);
    expect(reads.bytes).toBeLessThan(LIMITS.totalBytes);
  });

  it.each([
    ['first', BUNDLE],
    ['last', BUNDLE],
    ['last', 'application/vnd.oci.empty.v1+json'],
  ])(
    'reads the signature that is listed %s beside 120 attestations of %s, as of a scan each day',
    async (place, artifactType) => {
      const { store, image } = await sampleRepository();
      const listed: Descriptor[] = [];
      const attach = async (predicateType: string, at: number) => {
        const layers = [bundleOf(image.digest, { predicateType, predicate: { at } })];
        const annotations = { 'dev.sigstore.bundle.predicateType': predicateType };
        const pushed = await pushManifest(store, { layers, artifactType, subject: image });
        listed.push({ ...pushed, artifactType, annotations });
      };
      const sign = () => attach('https://sigstore.dev/cosign/sign/v1', 0);
      if (place === 'first') await sign();
      for (let at = 0; at < 120; at += 1)
        await attach('https://cosign.sigstore.dev/attestation/vuln/v1', at);
      if (place === 'last') await sign();
      const source = { ...store, referrers: async () => listed };
      const { signatures, unread } = await collectSignatures(source, image.digest);
      expect(signatures.filter(({ content }) => content?.predicateType === null)).toHaveLength(1);
      expect(signatures.length + unread).toBe(121);
    },
  );

  it('reads the oldest attestation of a tag beside 120 newer ones of another type', async () => {
    const repository = await sampleRepository();
    const attestation = (predicateType: string, at: number) => {
      const change = { predicateType, predicate: { at } };
      const signed = envelope(key, statement(repository.image.digest, change));
      return {
        mediaType: 'application/vnd.dsse.envelope.v1+json',
        bytes: Buffer.from(JSON.stringify(signed)),
        annotations: { 'dev.cosignproject.cosign/signature': '', predicateType },
      };
    };
    const provenance = 'https://slsa.dev/provenance/v1';
    const scans = Array.from({ length: 120 }, (_, at) =>
      attestation('https://cosign.sigstore.dev/attestation/vuln/v1', at),
    );
    await attachByTag(repository, 'att', [attestation(provenance, 0), ...scans]);
    const { signatures } = await collectSignatures(repository.store, repository.image.digest);
    expect(signatures.filter(({ content }) => content?.predicateType === provenance)).toHaveLength(
      1,
    );
  });

  it('reads those of one place beside referrers and layers of any number of types', async () => {
    const repository = await sampleRepository();
    const { store, image } = repository;
    const genuine = simpleSigningLayer(key, simpleSigning(image.digest));
    await attachByTag(repository, 'sig', [genuine, ...junkOf(5)]);
    const types = Array.from({ length: 80 }, (_, at) => `https://example.com/${at}`);
    const typed = junkOf(types.length).map((layer, at) => ({
      ...layer,
      annotations: { predicateType: types[at] ?? '' },
    }));
    await attachByTag(repository, 'att', typed);
    const pushed = await pushManifest(store, { layers: junkOf(1), subject: image });
    const listed = types.map((type) => ({
      ...{ ...pushed, artifactType: BUNDLE },
      annotations: { 'dev.sigstore.bundle.predicateType': type },
    }));
    const source = { ...store, referrers: async () => listed };
    const { signatures } = await collectSignatures(source, image.digest);
    expect(signatures.filter(({ content }) => content)).toHaveLength(1);
  });

  it('reads none of 10,000 in one manifest, as cosign', async () => {
    const repository = await sampleRepository();
    const { store, image } = repository;
    await attachByTag(repository, 'sig', junkOf(10_000));
    const source = { resolve: store.resolve, fetch: store.fetch };
    const { signatures } = await collectSignatures(source, image.digest);
    const fault = { code: 'SIGNATURE_UNREADABLE', params: { fault: 'MANIFEST_TOO_WIDE' } };
    expect(signatures).toMatchObject([{ content: null, fault }]);
  });

  it('reads the newest of a tag first', async () => {
    const repository = await sampleRepository();
    const newest = simpleSigningLayer(key, simpleSigning(repository.image.digest));
    await attachByTag(repository, 'sig', [...junkOf(60), newest]);
    expect((await answersOf(repository, authority))[0]).toBe('counts');
  });

  it('does not read a bundle of 5 MB, and says so', async () => {
    const repository = await sampleRepository();
    const predicate = { text: 'x'.repeat(4 * 1024 * 1024) };
    const layer = bundleOf(repository.image.digest, { predicate });
    await attachReferrer(repository, [layer]);
    const reads = countReads(repository.store);
    const { signatures } = await collectSignatures(reads.source, repository.image.digest);
    const params = { size: layer.bytes.length, most: LIMITS.signatureBytes };
    expect(signatures[0]?.fault).toEqual({ code: 'SIGNATURE_TOO_LARGE', params });
    expect(reads.bytes).toBeLessThan(LIMITS.signatureBytes);
  });

  it('reads a limited number of bytes, and counts the rest', async () => {
    const repository = await sampleRepository();
    for (let at = 0; at < 13; at += 1) {
      const predicate = { at, text: 'x'.repeat(2 * 1024 * 1024) };
      await attachReferrer(repository, [bundleOf(repository.image.digest, { predicate })]);
    }
    const found = await collectSignatures(repository.store, repository.image.digest);
    expect(found.signatures.length + found.unread).toBe(13);
    expect(found.unread).toBeGreaterThan(0);
  });
});

describe('what can not be read', () => {
  it('is a fact where the blob is missing', async () => {
    const repository = await sampleRepository();
    const { store } = repository;
    await attachReferrer(repository, [bundleOf(repository.image.digest)]);
    const blob = [...store.contents].find(([, bytes]) => Buffer.from(bytes).includes('dsseEnv'));
    const fetch: Source['fetch'] = (descriptor) =>
      descriptor.digest === blob?.[0]
        ? Promise.reject(notFound('BLOB_UNKNOWN', 'gone'))
        : store.fetch(descriptor);
    const { signatures } = await collectSignatures({ ...store, fetch }, repository.image.digest);
    const fault = { code: 'SIGNATURE_UNREADABLE', params: { fault: 'BLOB_UNKNOWN' } };
    expect(signatures).toMatchObject([{ content: null, fault }]);
  });

  it('is a fact where the type is unknown', async () => {
    const repository = await sampleRepository();
    const layer = { mediaType: 'text/plain', bytes: Buffer.from('signed, me') };
    await attachByTag(repository, 'sig', [layer]);
    expect(await answersOf(repository, authority)).toEqual(['FORMAT_UNKNOWN']);
  });

  it.each([
    ['no text', Buffer.from([0xff, 0xfe])],
    ['no JSON', Buffer.from('{')],
    ['deep JSON', Buffer.from('['.repeat(100_000))],
    ['a list', Buffer.from('[]')],
  ])('is a fact where a bundle is %s', async (_, bytes) => {
    const repository = await sampleRepository();
    await attachReferrer(repository, [{ mediaType: BUNDLE, bytes }]);
    expect(await answersOf(repository, authority)).toEqual(['FORMAT_INVALID']);
  });

  it('is not complete where the registry refuses a tag', async () => {
    const { store, image } = await sampleRepository();
    const refused = { ...store, resolve: () => Promise.reject(forbidden('DENIED', 'no')) };
    const found = await collectSignatures(refused, image.digest);
    expect(found).toEqual({ signatures: [], unread: 0, isComplete: false });
  });

  it('is not complete where it refuses its list of referrers, and the tags count', async () => {
    const repository = await sampleRepository();
    const { store, image } = repository;
    await attachByTag(repository, 'sig', [simpleSigningLayer(key, simpleSigning(image.digest))]);
    const refused = { ...store, referrers: () => Promise.reject(forbidden('DENIED', 'no')) };
    const found = await collectSignatures(refused, image.digest);
    expect(found).toMatchObject({ signatures: [{ fault: null }], isComplete: false });
  });

  it('is no statement where the registry refuses everything, as after the end of a login', async () => {
    const repository = await sampleRepository();
    await attachReferrer(repository, [bundleOf(repository.image.digest)]);
    const refuse = () => Promise.reject(unauthenticated('REGISTRY_UNAUTHENTICATED', 'no'));
    const refused = { ...repository.store, resolve: refuse, referrers: refuse };
    await expect(collectSignatures(refused, repository.image.digest)).rejects.toMatchObject({
      code: 'REGISTRY_UNAUTHENTICATED',
    });
  });

  it('is not waited for after the signal', async () => {
    const { store, image } = await sampleRepository();
    const controller = new AbortController();
    const never: Source['resolve'] = (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const { signal } = controller;
    const collecting = collectSignatures({ ...store, resolve: never }, image.digest, { signal });
    controller.abort(new Error('enough'));
    await expect(collecting).rejects.toThrow('enough');
  });

  it('is no statement while the registry does not answer', async () => {
    const { store, image } = await sampleRepository();
    const down = { ...store, resolve: () => Promise.reject(unavailable('DOWN', 'no')) };
    await expect(collectSignatures(down, image.digest)).rejects.toMatchObject({ code: 'DOWN' });
  });
});

function countReads(store: Source): { source: Source; bytes: number } {
  const counted = {
    bytes: 0,
    source: {
      ...store,
      fetch: (descriptor: Descriptor) => {
        counted.bytes += descriptor.size;
        return store.fetch(descriptor);
      },
    },
  };
  return counted;
}

function junkOf(length: number): LayerInput[] {
  return Array.from({ length }, (_, at) => ({
    mediaType: SIMPLE_SIGNING,
    bytes: Buffer.from(`{"at":${at}}`),
  }));
}
