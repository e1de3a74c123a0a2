import { buildImage, buildIndex, pushImage, startRegistry } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { serveV2 } from '../v2.fixture.ts';

const SCHEMA1 = 'application/vnd.docker.distribution.manifest.v1+prettyjws';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const INDEX = 'application/vnd.docker.distribution.manifest.list.v2+json';
const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

it.each([
  ['distribution 2.8', { isOld: true }],
  ['the built-in registry', {}],
])('serves a Docker image only as it was pushed: %s', async (_, options) => {
  await using registry = await startRegistry(options);
  await using v2 = await serveV2(registry.url, { storage: null, storedUploads: null });
  const image = await buildImage({ layers: [{ 'etc/app': 'x' }], flavour: 'docker' });
  const index = buildIndex([image], { flavour: 'docker' });
  await pushImage(registry.url, 'team/app', 'one', image);
  await pushImage(registry.url, 'team/app', 'many', index);
  async function served(reference: string, accept: string) {
    const answer = await v2.ask('GET', `/v2/team/app/manifests/${reference}`, {
      headers: { accept },
    });
    await answer.text();
    return answer.ok ? answer.headers.get('docker-content-digest') : answer.status;
  }
  for (const accept of [SCHEMA1, 'application/json', OCI_MANIFEST, `${SCHEMA1}, text/html`]) {
    expect([accept, await served('one', accept)]).toEqual([accept, 404]);
    expect([accept, await served('many', accept)]).toEqual([accept, 404]);
    expect([accept, await served(image.descriptor.digest, accept)]).toEqual([accept, 404]);
  }
  for (const accept of [`${SCHEMA1}, ${MANIFEST}`, `${MANIFEST};q=0.9`, '*/*'])
    expect([accept, await served('one', accept)]).toEqual([accept, image.descriptor.digest]);
  // The registry chooses the platform for a client that reads no index.
  expect(await served('many', MANIFEST)).toBe(image.descriptor.digest);
  expect(await served('many', `${MANIFEST}, ${INDEX}`)).toBe(index.descriptor.digest);
});
