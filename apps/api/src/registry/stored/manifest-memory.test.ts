import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Digest } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { createManifestMemory } from './manifest-memory.ts';

const MANIFEST = Buffer.from('{"schemaVersion":2}');
const DIGEST: Digest = `sha256:${createHash('sha256').update(MANIFEST).digest('hex')}`;

/** Passes a reply through the memory. Returns what arrives, and what is known of it then. */
async function passed(sent: Buffer, headers: IncomingHttpHeaders = {}) {
  const memory = createManifestMemory();
  const stage = memory.keep({
    'docker-content-digest': DIGEST,
    'content-length': String(sent.length),
    'content-type': 'application/vnd.oci.image.manifest.v1+json',
    ...headers,
  });
  const arrived = stage && (await buffer(Readable.from([sent]).pipe(stage)));
  return { arrived, known: memory.find(DIGEST) };
}

it('keeps a manifest with the headers of its reply', async () => {
  const { arrived, known } = await passed(MANIFEST);
  expect(arrived).toEqual(MANIFEST);
  expect(known?.bytes).toEqual(MANIFEST);
  expect(known?.headers['content-type']).toBe('application/vnd.oci.image.manifest.v1+json');
});

it('keeps nothing of a reply that was cut or altered, which the client receives as it is', async () => {
  for (const sent of [MANIFEST.subarray(0, 9), Buffer.from('{"schemaVersion":1}')]) {
    const { arrived, known } = await passed(sent);
    expect(arrived).toEqual(sent);
    expect(known).toBeUndefined();
  }
});

it.each([
  ['is too large', { 'content-length': String(256 * 1024 + 1) }],
  ['has no length', { 'content-length': undefined }],
  ['is named by another algorithm', { 'docker-content-digest': `sha512:${'a'.repeat(128)}` }],
  ['has no name', { 'docker-content-digest': '' }],
])('leaves out what %s', async (_, headers) => {
  const { arrived, known } = await passed(MANIFEST, headers);
  expect([arrived, known]).toEqual([null, undefined]);
});
