import { expect, it } from 'vitest';
import { formatPinnedImage, imageNameOf, pinnedImageOf } from './pinned-image.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

it.each([
  [
    'Docker Hub as docker.io, with its library',
    'registry-1.docker.io',
    'nginx',
    '1.29',
    'docker.io/library/nginx:1.29',
  ],
  [
    'a namespace of Docker Hub',
    'registry-1.docker.io',
    'grafana/grafana',
    '1',
    'docker.io/grafana/grafana:1',
  ],
  [
    'another registry with its port',
    'registry.example:5000',
    'nginx',
    '1.29',
    'registry.example:5000/nginx:1.29',
  ],
  [
    'an image that was requested by digest, without a tag',
    'registry.example',
    'team/app',
    DIGEST,
    'registry.example/team/app',
  ],
])('names %s', (_, host, image, tag, name) => {
  const source = { kind: 'host' as const, registryId: null, host };
  const found = pinnedImageOf({ source, image, tag, digest: DIGEST });
  expect(found && formatPinnedImage(found)).toBe(`${name}@${DIGEST}`);
});

it('an image without a digest has no pinned name', () => {
  const source = { kind: 'host' as const, registryId: null, host: 'registry.example' };
  expect(pinnedImageOf({ source, image: 'app', tag: '1', digest: null })).toBeNull();
});

it.each([
  ['1.29', null, 'docker.io/library/nginx:1.29'],
  ['1.29', DIGEST, `docker.io/library/nginx:1.29@${DIGEST}`],
  [DIGEST, null, `docker.io/library/nginx@${DIGEST}`],
])('a job of %s with the digest %s is named %s', (tag, digest, name) => {
  const source = { kind: 'dockerhub' as const, registryId: null, host: 'registry-1.docker.io' };
  expect(imageNameOf({ source, image: 'nginx', tag, digest })).toBe(name);
});
