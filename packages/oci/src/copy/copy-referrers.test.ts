import { blobOf, buildArtifact, buildImage, type TestImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../memory/memory.ts';
import { OCI_MANIFEST } from '../model/media-type.ts';
import { forbidden, invalid, notFound, unavailable } from '../oci-error.ts';
import type { Source, Target } from './content.ts';
import { type CopyOptions, copy } from './copy.ts';
import { memoryOf } from './sample.contract.ts';

const REFERRERS = { includeReferrers: true, targetTag: 'v1' } as const;

const attached = (image: TestImage, text: string) =>
  buildArtifact({
    artifactType: 'application/vnd.example.signature',
    layers: [{ mediaType: 'application/x', bytes: Buffer.from(text) }],
    subject: image.descriptor,
  });

async function signedImage() {
  const image = await buildImage({ layers: [{ a: 'b' }] });
  const [first, second] = [attached(image, 'first'), attached(image, 'second')];
  const source = await memoryOf(image, first, second);
  return { image, first, second, source, target: createMemoryStore() };
}
type Signed = Awaited<ReturnType<typeof signedImage>>;

const brokenBy: Record<string, (signed: Signed) => { source?: Source; target?: Target }> = {
  'whose list is refused': ({ source }) => ({
    source: { ...source, referrers: () => Promise.reject(forbidden('REGISTRY_FORBIDDEN', 'no')) },
  }),
  'whose list is not answered': ({ source }) => ({
    source: { ...source, referrers: () => Promise.reject(unavailable('REGISTRY_SILENT', 'no')) },
  }),
  'one of which was deleted': ({ source, first }) => ({
    source: failing(source, first.digest),
  }),
  'one of which lacks a blob': ({ source, first }) => ({
    source: failing(source, first.blobs.at(-1)?.descriptor.digest),
  }),
  'one of which has a form that is not copied': ({ source }) => {
    const { descriptor } = blobOf('a/b', Buffer.from('{}'));
    const mediaType = 'application/vnd.oci.artifact.manifest.v1+json';
    const list = async (...[digest]: Parameters<NonNullable<Source['referrers']>>) => [
      { ...descriptor, mediaType },
      ...(await source.referrers(digest)),
    ];
    return { source: { ...source, referrers: list } };
  },
  'one of which the target refuses': ({ target, first }) => ({
    target: refusing(target, first.digest),
  }),
  'a blob of which the target refuses': ({ target, first }) => ({
    target: refusing(target, first.blobs.at(-1)?.descriptor.digest),
  }),
  'which the target can’t look up': ({ target, first }) => ({
    target: {
      ...target,
      exists: async (descriptor, options) => {
        if (descriptor.digest === first.digest) throw forbidden('REGISTRY_FORBIDDEN', 'no');
        return target.exists(descriptor, options);
      },
      push: refusing(target, first.digest).push,
    },
  }),
};

function failing(source: Source, digest: string | undefined): Source {
  return {
    ...source,
    fetch: async (descriptor, options) => {
      if (descriptor.digest === digest) throw notFound('MANIFEST_UNKNOWN', 'it is gone');
      return source.fetch(descriptor, options);
    },
  };
}

function refusing(target: Target, digest: string | undefined): Target {
  return {
    ...target,
    push: async (descriptor, open, options) => {
      if (descriptor.digest === digest) throw invalid('REGISTRY_REFUSED', 'not this one');
      return target.push(descriptor, open, options);
    },
  };
}

describe('an image with referrers', () => {
  it.each(Object.entries(brokenBy))('%s arrives, and each is named', async (_, breakIt) => {
    const signed = await signedImage();
    const { source = signed.source, target = signed.target } = breakIt(signed);
    const { leftBehind } = await copy(source, signed.image.digest, target, REFERRERS);
    expect(signed.target.tags.get('v1')?.digest).toBe(signed.image.digest);
    expect(leftBehind).toHaveLength(1);
    expect(leftBehind[0]).toMatchObject({
      kind: expect.stringMatching(/^(?:referrer|list)$/),
      name: expect.stringMatching(/^sha256:/),
      code: expect.stringMatching(/^[A-Z_]+$/),
    });
    const isListed = leftBehind[0]?.kind === 'referrer';
    expect(signed.target.contents.has(signed.second.digest)).toBe(isListed);
  });

  it.each(Object.entries(brokenBy))(
    '%s is not copied where they are required',
    async (_, breakIt) => {
      const signed = await signedImage();
      const { source = signed.source, target = signed.target } = breakIt(signed);
      const required: CopyOptions = { ...REFERRERS, includeReferrers: 'required' };
      await expect(copy(source, signed.image.digest, target, required)).rejects.toMatchObject({
        code: expect.any(String),
      });
      expect(signed.target.tags.has('v1')).toBe(false);
    },
  );

  it('arrives though tags that do not exist are answered 403', async () => {
    const { source, image, target } = await signedImage();
    const denying: Source = {
      ...source,
      resolve: async (reference, options) => {
        if (reference.startsWith('sha256-')) throw forbidden('REGISTRY_FORBIDDEN', 'no');
        return source.resolve(reference, options);
      },
    };
    const { leftBehind } = await copy(denying, image.digest, target, REFERRERS);
    const hex = image.digest.slice(7);
    expect(leftBehind.map(({ kind, name }) => [kind, name]).sort()).toEqual(
      ['att', 'sbom', 'sig'].map((suffix) => ['tag', `sha256-${hex}.${suffix}`]),
    );
    expect(target.tags.get('v1')?.digest).toBe(image.digest);
  });

  it('does not request more of a source that does not answer', async () => {
    const image = await buildImage({ layers: [{ a: 'b' }] });
    const many = Array.from({ length: 50 }, (_, at) => attached(image, `n${at}`));
    const source = await memoryOf(image, ...many);
    let requests = 0;
    const silent: Source = {
      ...source,
      fetch: async (descriptor, options) => {
        if (!many.some(({ digest }) => digest === descriptor.digest))
          return source.fetch(descriptor, options);
        requests += 1;
        throw unavailable('REGISTRY_SILENT', 'no answer');
      },
    };
    const { leftBehind } = await copy(silent, image.digest, createMemoryStore(), {
      ...REFERRERS,
      concurrency: 2,
    });
    expect(leftBehind).toHaveLength(50);
    expect(requests).toBeLessThan(6);
  });

  it('does not request thousands that the source lists and does not have', async () => {
    const { source, image, target } = await signedImage();
    let requests = 0;
    const lying: Source = {
      ...source,
      referrers: async () =>
        Array.from(
          { length: 3_000 },
          (_, at) => blobOf(OCI_MANIFEST, Buffer.from(`${at}`)).descriptor,
        ),
      fetch: (descriptor, options) => {
        requests += 1;
        return source.fetch(descriptor, options);
      },
    };
    const { leftBehind } = await copy(lying, image.digest, target, REFERRERS);
    expect(leftBehind).toHaveLength(3_000);
    expect(requests).toBeLessThan(150);
    expect(target.tags.get('v1')?.digest).toBe(image.digest);
  });

  it('arrives though there is no room for the referrers', async () => {
    const { source, image, first, target } = await signedImage();
    const ownBlob = first.blobs.at(-1)?.descriptor.digest;
    const { leftBehind } = await copy(source, image.digest, target, {
      ...REFERRERS,
      admit: async (blobs) => {
        if (blobs.some(({ digest }) => digest === ownBlob))
          throw unavailable('DISK_RESERVE', 'the disk is full');
      },
    });
    expect(target.tags.get('v1')?.digest).toBe(image.digest);
    expect(leftBehind.map(({ code }) => code)).toContain('DISK_RESERVE');
  });
});
