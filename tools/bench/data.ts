/**
 * Images of random bytes for the benchmarks: nothing compresses, and only what is declared as
 * shared is shared.
 */
import { createHash, randomFillSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Descriptor, Digest } from '@portcullis/oci';

const MIB = 1 << 20;
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

export interface Registry {
  url: string;
}

function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

async function expectStatus(response: Response, wanted: number): Promise<Response> {
  if (response.status !== wanted)
    throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}

async function pushBlob(
  registry: Registry,
  repository: string,
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string,
): Promise<Descriptor> {
  const digest = digestOf(bytes);
  const begun = await expectStatus(
    await fetch(`${registry.url}/v2/${repository}/blobs/uploads/`, { method: 'POST' }),
    202,
  );
  const location = new URL(begun.headers.get('location') ?? '', registry.url);
  location.searchParams.set('digest', digest);
  const headers = { 'content-type': 'application/octet-stream' };
  await expectStatus(await fetch(location, { method: 'PUT', body: bytes, headers }), 201);
  return { mediaType, digest, size: bytes.length };
}

async function mountBlob(
  registry: Registry,
  repository: string,
  blob: Descriptor,
  from: string,
): Promise<void> {
  const url = `${registry.url}/v2/${repository}/blobs/uploads/?mount=${blob.digest}&from=${from}`;
  await expectStatus(await fetch(url, { method: 'POST' }), 201);
}

export async function randomLayer(
  registry: Registry,
  repository: string,
  mib: number,
): Promise<Descriptor> {
  const random = randomFillSync(new Uint8Array(mib * MIB));
  return pushBlob(registry, repository, gzipSync(random, { level: 0 }), LAYER);
}

/**
 * Pushes an image of `own` new layers on top of the `shared` ones, which are in the repository
 * `from`.
 */
export async function pushImage(
  registry: Registry,
  repository: string,
  image: { ownLayers: readonly number[]; shared?: Descriptor[]; from?: string },
): Promise<void> {
  for (const blob of image.shared ?? [])
    await mountBlob(registry, repository, blob, image.from ?? repository);
  const layers = [...(image.shared ?? [])];
  for (const mib of image.ownLayers) layers.push(await randomLayer(registry, repository, mib));
  const configBytes = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.digest) },
    }),
  );
  const config = await pushBlob(registry, repository, configBytes, CONFIG);
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config, layers });
  const put = await fetch(`${registry.url}/v2/${repository}/manifests/v1`, {
    method: 'PUT',
    body: manifest,
    headers: { 'content-type': MANIFEST },
  });
  await expectStatus(put, 201);
}
