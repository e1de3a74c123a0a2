import { DOCKER_INDEX, DOCKER_MANIFEST, OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { assertAcceptable, upstreamAccept } from './negotiation.ts';

const SCHEMA1 = 'application/vnd.docker.distribution.manifest.v1+prettyjws';
const ALL = [OCI_INDEX, OCI_MANIFEST, DOCKER_INDEX, DOCKER_MANIFEST].join(', ');
const IMAGES = [OCI_MANIFEST, DOCKER_MANIFEST].join(', ');

it.each([
  ['no header', undefined, ALL],
  ['an empty header', ' ', ALL],
  ['any type', '*/*', ALL],
  ['any type of applications, with a weight', 'text/html, application/*;q=0.8', ALL],
  ['schema 1', SCHEMA1, IMAGES],
  ['another type', 'application/json', IMAGES],
  [
    'schema 1 before an index',
    `${SCHEMA1}, ${DOCKER_INDEX}`,
    `${OCI_MANIFEST}, ${DOCKER_INDEX}, ${DOCKER_MANIFEST}`,
  ],
  [
    'one type in other letters and with parameters',
    `${OCI_INDEX.toUpperCase()}; q=1`,
    `${OCI_INDEX}, ${IMAGES}`,
  ],
])(
  'the registry is asked for images, and for indexes that the client reads: %s',
  (_, accept, asked) => {
    expect(upstreamAccept(accept)).toBe(asked);
  },
);

it.each([
  ['its own type', DOCKER_MANIFEST, DOCKER_MANIFEST, true],
  ['a type with parameters', undefined, `${OCI_MANIFEST}; charset=utf-8`, true],
  ['any type', '*/*', OCI_INDEX, true],
  ['an image, where it accepts an index alone', OCI_INDEX, OCI_MANIFEST, false],
  ['an OCI image, where it accepts Docker images', DOCKER_MANIFEST, OCI_MANIFEST, false],
  ['an image, where it accepts schema 1', SCHEMA1, DOCKER_MANIFEST, false],
  ['schema 1, which it accepts', SCHEMA1, SCHEMA1, false],
  ['schema 1, where it accepts any', '*/*', SCHEMA1, false],
  ['JSON', 'application/json', 'application/json', false],
  ['no type', undefined, undefined, false],
])('a client that asks gets %s: %s, %s: %s', (_, accept, type, isServed) => {
  const reply = { 'content-type': type };
  if (isServed) expect(() => assertAcceptable(accept, reply)).not.toThrow();
  else
    expect(() => assertAcceptable(accept, reply)).toThrow(
      expect.objectContaining({ code: 'MANIFEST_UNKNOWN' }),
    );
});
