/**
 * Files of the registry's storage that a crash or a full disk left empty or cut short: a push of
 * the image writes them again (distribution/distribution #4489, moby/moby #21290).
 */
import { truncate } from 'node:fs/promises';
import { storedContent } from '@portcullis/local-registry';
import { pushImage, randomImage, skopeo, startRegistry, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blobPath } from '../../../../../packages/local-registry/src/storage/storage.ts';
import { type StartedV2, serveV2, startV2 } from '../v2.fixture.ts';

let v2: StartedV2;
let origin: Awaited<ReturnType<typeof startRegistry>>;

beforeAll(async () => {
  v2 = await startV2();
  origin = await startRegistry();
});
afterAll(async () => {
  await origin?.stop();
  await v2?.stop();
});

const published = async (repository: string) => {
  const image = await randomImage({ layers: 1, bytes: 5_000, compression: 'gzip' });
  await pushImage(origin.url, repository, '1', image);
  const [config, layer] = image.blobs.map(({ descriptor }) => descriptor);
  if (!config || !layer) throw new Error('an image has a configuration and a layer');
  return { manifest: image.descriptor, config, layer };
};

const at = (url: string, repository: string) => `docker://${new URL(url).host}/${repository}:1`;

const push = (repository: string) =>
  skopeo(
    ...['copy', '--src-tls-verify=false', '--dest-tls-verify=false'],
    ...['--dest-creds', 'writer:writerwriter'],
    ...[at(origin.url, repository), at(v2.url, repository)],
  );

/** From the registry behind; skopeo compares all bytes with their digests. */
async function pull(repository: string): Promise<void> {
  await using dir = await temporaryDir();
  const from = at(v2.registry.url, repository);
  await skopeo('copy', '--src-tls-verify=false', from, `dir:${dir.path}`);
}

it.each(['layer', 'config', 'manifest'] as const)('an empty %s is stored again', async (part) => {
  const repository = `team/empty-${part}`;
  const image = await published(repository);
  await push(repository);
  await pull(repository);
  await truncate(blobPath(v2.registry.storageDir, image[part].digest), 0);
  await expect(pull(repository)).rejects.toThrow();
  await push(repository);
  await pull(repository);
});

it('a layer that was cut short is stored again once it was deleted', async () => {
  const repository = 'team/cut-short';
  const { layer } = await published(repository);
  await push(repository);
  await truncate(blobPath(v2.registry.storageDir, layer.digest), 100);
  await expect(pull(repository)).rejects.toThrow();
  const removed = await v2.ask('DELETE', `/v2/${repository}/blobs/${layer.digest}`);
  expect(removed.status).toBe(202);
  await push(repository);
  await pull(repository);
});

it('an empty manifest is absent, as clients ask before they push', async () => {
  const repository = 'team/asked';
  const { manifest } = await published(repository);
  await push(repository);
  await truncate(blobPath(v2.registry.storageDir, manifest.digest), 0);
  const fresh = await serveV2(v2.registry.loginUrl, {
    storage: storedContent(v2.registry.storageDir),
  });
  try {
    for (const method of ['HEAD', 'GET'])
      for (const reference of ['1', manifest.digest])
        expect((await fresh.ask(method, `/v2/${repository}/manifests/${reference}`)).status).toBe(
          404,
        );
  } finally {
    await fresh.stop();
  }
});
