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
  return { asked, shapeIn: (repository: string) => shapes({ repository, digest }) };
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
