/** Test content for the target contract: random blobs, minimal images, and chunked reads. */
import { createHash, randomBytes } from 'node:crypto';
import type { Content, FetchOptions, Pusher } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { OCI_CONFIG, OCI_MANIFEST, OCTET_STREAM } from '../model/media-type.ts';

export interface SampleContent {
  descriptor: Descriptor;
  bytes: Uint8Array;
}

export interface SampleImage extends SampleContent {
  blobs: SampleContent[];
}

function sampleContent(mediaType: string, bytes: Uint8Array): SampleContent {
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { bytes, descriptor: { mediaType, digest, size: bytes.byteLength } };
}

export function randomBlob(size: number): SampleContent {
  return sampleContent(OCTET_STREAM, randomBytes(size));
}

/** An image of one random layer. The layer is not a tar archive, which no target checks. */
export function randomImage(types = { manifest: OCI_MANIFEST, config: OCI_CONFIG }): SampleImage {
  const config = document(types.config, { os: 'linux', architecture: 'amd64' });
  const layer = randomBlob(100);
  const manifest = document(types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: config.descriptor,
    layers: [{ ...layer.descriptor, mediaType: 'application/vnd.oci.image.layer.v1.tar' }],
  });
  return { ...manifest, blobs: [config, layer] };
}

export function indexOf(mediaType: string, images: SampleImage[]): SampleContent {
  const manifests = images.map(({ descriptor }) => ({
    ...descriptor,
    platform: { os: 'linux', architecture: 'amd64' },
  }));
  return document(mediaType, { schemaVersion: 2, mediaType, manifests });
}

function document(mediaType: string, value: unknown): SampleContent {
  return sampleContent(mediaType, Buffer.from(JSON.stringify(value)));
}

export interface OpenedBlob {
  /** How often the source was opened. */
  opened: number;
  offsets: number[];
  open(options: FetchOptions): Promise<Content>;
}

/** Content in chunks that share one reused buffer, as real sources deliver it. */
export function chunked(
  bytes: Uint8Array,
  chunk = 64 * 1024,
  pause?: () => Promise<unknown>,
): OpenedBlob {
  const opened: OpenedBlob = {
    opened: 0,
    offsets: [],
    async open({ offset = 0 }) {
      opened.opened += 1;
      opened.offsets.push(offset);
      return contentIn(bytes, offset, chunk, pause);
    },
  };
  return opened;
}

function contentIn(
  bytes: Uint8Array,
  offset: number,
  size: number,
  pause?: () => Promise<unknown>,
): Content {
  let cancelled = false;
  return {
    offset,
    cancel() {
      cancelled = true;
    },
    async *[Symbol.asyncIterator]() {
      const buffer = Buffer.alloc(size);
      for (let at = offset; at < bytes.byteLength && !cancelled; at += size) {
        const part = bytes.subarray(at, at + size);
        buffer.set(part);
        await pause?.();
        yield buffer.subarray(0, part.byteLength);
        buffer.fill(0xee);
      }
    },
  };
}

export async function putImage(target: Pusher, { blobs, ...manifest }: SampleImage): Promise<void> {
  for (const content of [...blobs, manifest]) await putBlob(target, content);
}

export async function putBlob(target: Pusher, { descriptor, bytes }: SampleContent): Promise<void> {
  await target.push(descriptor, chunked(bytes).open);
}

export async function bytesOf(content: Content): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
