import { X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  buildIndex,
  debianImage,
  makeCertificate,
  randomImage,
  scratchImage,
  sha256,
} from '../index.ts';

it('the same recipe gives the same digest', async () => {
  expect((await debianImage()).digest).toBe((await debianImage()).digest);
});

it('diff ids are those of the unpacked layers', async () => {
  const { blobs } = await scratchImage();
  const config = JSON.parse(Buffer.from(blobs[0]?.bytes ?? []).toString());
  expect(config.rootfs.diff_ids).toEqual([sha256(gunzipSync(blobs[1]?.bytes ?? new Uint8Array()))]);
});

it('an index names the platforms of its manifests', async () => {
  const index = buildIndex([
    await scratchImage(),
    await scratchImage({ platform: 'linux/arm/v7' }),
  ]);
  const { manifests } = JSON.parse(Buffer.from(index.bytes).toString());
  expect(manifests.map((entry: { platform: unknown }) => entry.platform)).toEqual([
    { os: 'linux', architecture: 'amd64' },
    { os: 'linux', architecture: 'arm', variant: 'v7' },
  ]);
});

it('random layers have the requested size', async () => {
  const image = await randomImage({ layers: 2, bytes: 100_000 });
  expect(
    image.blobs.slice(1).map(({ descriptor }) => Math.round(descriptor.size / 10_000)),
  ).toEqual([10, 10]);
});

it('a certificate is for localhost and verifies itself', () => {
  const { certificate } = makeCertificate();
  const parsed = new X509Certificate(certificate);
  expect([parsed.subjectAltName, parsed.verify(parsed.publicKey), parsed.ca]).toEqual([
    'DNS:localhost, IP Address:127.0.0.1',
    true,
    true,
  ]);
});
