import { expect, it } from 'vitest';
import { readReference } from './reference.ts';

it.each([
  ['nginx', null, 'nginx', null],
  ['nginx:1.27', null, 'nginx', '1.27'],
  [' library/nginx:1.27 ', null, 'library/nginx', '1.27'],
  ['docker.io/library/nginx:1', null, 'library/nginx', '1'],
  ['ghcr.io/acme/app:1.2', 'ghcr.io', 'acme/app', '1.2'],
  ['localhost:5000/app', 'localhost:5000', 'app', null],
  ['localhost/app:2', 'localhost', 'app', '2'],
  ['reg.acme:5000/a/b/c:v1', 'reg.acme:5000', 'a/b/c', 'v1'],
  ['nginx@sha256:abc', null, 'nginx', 'sha256:abc'],
  ['ghcr.io/acme/app:1@sha256:abc', 'ghcr.io', 'acme/app', 'sha256:abc'],
  ['docker pull redis:7', null, 'redis', '7'],
  ['https://hub.docker.com/_/postgres', null, 'library/postgres', null],
  ['https://hub.docker.com/r/grafana/grafana/tags', null, 'grafana/grafana', null],
])('%s is read as the host %s, the image %s and the tag %s', (text, host, image, tag) => {
  expect(readReference(text)).toEqual({ host, image, tag });
});
