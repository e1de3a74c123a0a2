/**
 * What is known of the signatures of images, from their push over `/v2` or their pull by a job:
 * signed as cosign signs, read by a real worker from real registries.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import {
  buildArtifact,
  buildIndex,
  json,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  bundleLayer,
  envelope,
  keyBundle,
  sampleKey,
  statement,
} from '../../packages/attest/src/signing.fixture.ts';
import {
  answers,
  api,
  harness,
  KEY,
  known,
  pushAtSource,
  signature,
  signatureTag,
  source,
  sql,
  startSigned,
  trust,
} from './signatures.fixture.ts';

startSigned();

const OTHER_KEY = sampleKey();

const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };

/** Over `/v2` of the product. */
async function pushHere(repository: string, tag: string | null, image: TestImage) {
  await pushImage(api.url, repository, tag, image, { credentials: CREDENTIALS });
  return image;
}

function bundle({ digest, descriptor }: TestImage, change: object = {}): TestImage {
  const layer = bundleLayer(keyBundle(envelope(KEY, statement(digest, change))));
  const { mediaType: artifactType } = layer;
  return buildArtifact({ artifactType, layers: [layer], subject: descriptor });
}

describe('an image that came over /v2', () => {
  it('has no signature until one arrives, by a tag or as a referrer', async () => {
    const image = await pushHere('asks/app', '1', await randomImage());
    await expect.poll(() => answers(image)).toEqual([]);
    expect(await known(image)).toMatchObject({ askedOf: { release: 1 }, isComplete: true });
    await pushHere('asks/app', signatureTag(image), signature(image, OTHER_KEY));
    await expect.poll(() => answers(image)).toEqual(['KEY_DIFFERS']);
    await pushHere('asks/app', null, bundle(image));
    await expect.poll(() => answers(image)).toEqual(['KEY_DIFFERS', 'counts']);
    const signed = (await known(image))?.facts.find(({ verified }) => verified);
    expect(signed).toMatchObject({
      authority: 'release',
      predicateType: null,
      verified: { signer: expect.stringMatching(/^sha256:/), at: null, log: null },
    });
  });

  it('has an attestation as what it is', async () => {
    const image = await pushHere('asks/attested', '1', await randomImage());
    const predicateType = 'https://slsa.dev/provenance/v1';
    await pushHere('asks/attested', null, bundle(image, { predicateType }));
    await expect
      .poll(async () => (await known(image))?.facts)
      .toMatchObject([{ predicateType, verified: {} }]);
  });

  it('is covered by the signature of its index', async () => {
    const platforms = ['linux/amd64', 'linux/arm64'];
    const children = await Promise.all(platforms.map((platform) => randomImage({ platform })));
    const index = await pushHere('asks/index', '1', buildIndex(children));
    await pushHere('asks/index', signatureTag(index), signature(index));
    for (const image of [index, ...children])
      await expect.poll(() => answers(image)).toEqual(['counts']);
  });

  it('is verified again for another key, and once its signature is gone', async () => {
    const image = await pushHere('asks/changed', '1', await randomImage());
    await pushHere('asks/changed', signatureTag(image), signature(image));
    await expect.poll(() => answers(image)).toEqual(['counts']);
    await trust('release', OTHER_KEY);
    await expect.poll(() => answers(image)).toEqual(['KEY_DIFFERS']);
    const version = (await harness.store.authorities.get('release')).version;
    expect(await known(image)).toMatchObject({ askedOf: { release: version } });
    await trust('release', KEY);
    await expect.poll(() => answers(image)).toEqual(['counts']);
    const boss = await api.as('boss');
    const path = '/api/images/__local__/tags/delete?repository=asks/changed';
    const removed = await json(boss.post(path, { tags: [signatureTag(image)] }));
    expect(removed).toMatchObject({ done: 1 });
    await expect.poll(() => answers(image)).toEqual([]);
  });

  it('marks its standing, so that what follows from it is announced', async () => {
    const image = await pushHere('asks/standing', '1', await randomImage());
    await expect.poll(() => answers(image)).toEqual([]);
    const judged = async () => {
      const { rows } = await sql.query(
        'SELECT judged_at FROM image_standings WHERE digest = $1 AND NOT stale',
        [image.digest],
      );
      return rows[0]?.judged_at;
    };
    await expect.poll(judged).toBeDefined();
    const before = await judged();
    await pushHere('asks/standing', signatureTag(image), signature(image));
    await expect.poll(() => answers(image)).toEqual(['counts']);
    await expect.poll(async () => (await judged()) > before).toBe(true);
  });

  it('costs nothing in a folder whose policy asks for no signature', async () => {
    const silent = await pushHere('silent/app', '1', await randomImage());
    const asked = await pushHere('asks/later', '1', await randomImage());
    await expect.poll(() => answers(asked)).toEqual([]);
    expect(await known(silent)).toBeUndefined();
  });
});

describe('an image that a job pulls', () => {
  const pulled = async (image: string, host = source.host, platforms?: string[]) => {
    const job = await harness.submit({ image, tag: '1', host, ...(platforms && { platforms }) });
    return harness.settled(job.id);
  };

  it('has the signatures of its source once it is staged', async () => {
    const image = await pushAtSource('up/app', '1', await randomImage());
    await pushAtSource('up/app', signatureTag(image), signature(image));
    expect(await pulled('up/app')).toMatchObject({ status: 'staged', digest: image.digest });
    expect(await answers(image)).toEqual(['counts']);
    const place = { digest: image.digest, registry: source.host, repository: 'up/app' };
    const { rows } = await sql.query(
      'SELECT digest, registry, repository FROM image_signatures WHERE digest = $1',
      [image.digest],
    );
    expect(rows).toEqual([place]);
  });

  it('is verified again at its source for another key', async () => {
    const image = await pushAtSource('up/changed', '1', await randomImage());
    await pushAtSource('up/changed', signatureTag(image), signature(image));
    expect((await pulled('up/changed')).status).toBe('staged');
    await expect.poll(() => answers(image)).toEqual(['counts']);
    await trust('release', OTHER_KEY);
    await expect.poll(() => answers(image)).toEqual(['KEY_DIFFERS']);
    await trust('release', KEY);
    await expect.poll(() => answers(image)).toEqual(['counts']);
  });

  it('of one platform, those of the index as well', async () => {
    const child = await randomImage({ platform: 'linux/arm64' });
    const index = buildIndex([await randomImage({ platform: 'linux/amd64' }), child]);
    await pushAtSource('up/index', '1', index);
    await pushAtSource('up/index', signatureTag(index), signature(index));
    const job = await pulled('up/index', source.host, ['linux/arm64']);
    expect(job).toMatchObject({ status: 'staged', digest: child.digest });
    expect(await answers(child)).toEqual(['counts']);
  });

  it('from the built-in registry has those that are here', async () => {
    const image = await pushHere('asks/here', '1', await randomImage());
    await pushHere('asks/here', signatureTag(image), signature(image));
    await expect.poll(() => answers(image)).toEqual(['counts']);
    const from = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
    const { id } = await harness.store.jobs.insert({
      ...{ ownerId: harness.admin.id, image: 'asks/here', tag: '1', source: from },
    });
    await harness.queues.dispatch(await harness.store.jobs.get(id));
    expect(await harness.settled(id)).toMatchObject({ status: 'staged' });
    expect(await answers(image)).toEqual(['counts']);
  });
});
