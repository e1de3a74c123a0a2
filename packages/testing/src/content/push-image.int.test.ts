import { expect, it } from 'vitest';
import {
  buildIndex,
  debianImage,
  fetchManifest,
  helmChart,
  pushImage,
  scratchImage,
  skopeo,
  startRegistry,
  temporaryDir,
  writeLayout,
} from '../index.ts';

it('an index of two platforms is pushed, and skopeo computes the same digest', async () => {
  await using registry = await startRegistry();
  const index = buildIndex([
    await debianImage(),
    await debianImage({ platform: 'linux/arm64/v8' }),
  ]);
  await pushImage(registry.url, 'team/app', '1', index);
  const text = await skopeo(
    'inspect',
    '--tls-verify=false',
    '--raw',
    `docker://${registry.host}/team/app:1`,
  );
  expect(text).toBe(Buffer.from(index.bytes).toString());
  const config = await skopeo(
    'inspect',
    '--tls-verify=false',
    '--config',
    `docker://${registry.host}/team/app@${index.children[1]?.digest}`,
  );
  expect(JSON.parse(config)).toMatchObject({ architecture: 'arm64', variant: 'v8' });
});

it('a registry with a password and TLS accepts a Docker image and a chart', async () => {
  await using registry = await startRegistry({ auth: 'basic', tls: true });
  for (const [tag, image] of [
    ['image', await scratchImage({ flavour: 'docker' })],
    ['chart', await helmChart()],
  ] as const) {
    await pushImage(registry.url, 'things', tag, image, registry);
    const answer = await fetchManifest(registry.url, 'things', tag, registry);
    expect([answer.status, answer.headers['docker-content-digest']]).toEqual([200, image.digest]);
  }
  expect((await fetchManifest(registry.url, 'things', 'image', { ca: registry.ca })).status).toBe(
    401,
  );
});

it('skopeo reads a layout as written', async () => {
  await using dir = await temporaryDir();
  const image = await scratchImage({ compression: 'zstd' });
  await writeLayout(dir.path, image, 'v1');
  expect(await skopeo('inspect', '--raw', `oci:${dir.path}:v1`)).toBe(
    Buffer.from(image.bytes).toString(),
  );
});
