/** Builds small, complete and valid test images, with correct digests. */
import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Descriptor, Digest, Platform } from '@portcullis/oci';
import { type Files, tar } from './tar.ts';

export interface TestBlob {
  descriptor: Descriptor;
  bytes: Uint8Array;
}

/** A manifest or an index with everything it references. */
export interface TestImage extends TestBlob {
  digest: Digest;
  /** The config, then the layers from the base up; empty for an index. */
  blobs: TestBlob[];
  /** The manifests of an index. */
  children: TestImage[];
}

type Flavour = 'oci' | 'docker';
type Compression = 'gzip' | 'zstd' | 'none';

export interface ImageOptions {
  /** From the base up; each maps paths to content. */
  layers: Files[];
  /** `os/architecture[/variant]`; defaults to linux/amd64. */
  platform?: string;
  /** Merged into the `config` of the image configuration: `Cmd`, `Env`, `Labels`, … */
  config?: Record<string, unknown>;
  /** The build steps of the image configuration; defaults to one for each layer. */
  history?: Record<string, unknown>[];
  annotations?: Record<string, string>;
  flavour?: Flavour;
  compression?: Compression;
}

const TYPES = {
  oci: {
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    index: 'application/vnd.oci.image.index.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar',
    dot: '+',
  },
  docker: {
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar',
    dot: '.',
  },
} as const;

export async function buildImage(options: ImageOptions): Promise<TestImage> {
  const { flavour = 'oci', compression = 'gzip', annotations } = options;
  const types = TYPES[flavour];
  const tars = await Promise.all(options.layers.map((files) => tar(files)));
  const suffix = compression === 'none' ? '' : `${types.dot}${compression}`;
  const layers = tars.map((bytes) =>
    blobOf(`${types.layer}${suffix}`, compress(bytes, compression)),
  );
  const platform = parsePlatform(options.platform ?? 'linux/amd64');
  const config = blobOf(types.config, json(imageConfig(platform, tars, options)));
  const manifest = {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: config.descriptor,
    layers: layers.map((layer) => layer.descriptor),
    ...(annotations && { annotations }),
  };
  const root = blobOf(types.manifest, json(manifest));
  return asImage(
    { ...root, descriptor: { ...root.descriptor, platform } },
    [config, ...layers],
    [],
  );
}

export interface IndexOptions {
  flavour?: Flavour;
  annotations?: Record<string, string>;
}

export function buildIndex(
  images: TestImage[],
  { flavour = 'oci', annotations }: IndexOptions = {},
): TestImage {
  const mediaType = TYPES[flavour].index;
  const manifests = images.map((image) => image.descriptor);
  return asImage(
    blobOf(
      mediaType,
      json({ schemaVersion: 2, mediaType, manifests, ...(annotations && { annotations }) }),
    ),
    [],
    images,
  );
}

export interface ArtifactOptions {
  artifactType?: string;
  /** Defaults to `{}` of the empty type. */
  config?: { mediaType: string; bytes: Uint8Array };
  layers: { mediaType: string; bytes: Uint8Array; annotations?: Record<string, string> }[];
  /** The manifest it refers to, for a signature, an SBOM, or an attestation. */
  subject?: Descriptor;
}

/** An OCI artifact other than an image. */
export function buildArtifact({
  artifactType,
  config,
  layers,
  subject,
}: ArtifactOptions): TestImage {
  const mediaType = TYPES.oci.manifest;
  const configBlob = blobOf(
    config?.mediaType ?? 'application/vnd.oci.empty.v1+json',
    config?.bytes ?? json({}),
  );
  const blobs = layers.map((layer) =>
    withAnnotations(blobOf(layer.mediaType, layer.bytes), layer.annotations),
  );
  const manifest = {
    schemaVersion: 2,
    mediaType,
    ...(artifactType && { artifactType }),
    config: configBlob.descriptor,
    layers: blobs.map((blob) => blob.descriptor),
    ...(subject && { subject: bare(subject) }),
  };
  return asImage(blobOf(mediaType, json(manifest)), [configBlob, ...blobs], []);
}

export function blobOf(mediaType: string, bytes: Uint8Array): TestBlob {
  return { descriptor: { mediaType, digest: sha256(bytes), size: bytes.length }, bytes };
}

export function sha256(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function asImage(root: TestBlob, blobs: TestBlob[], children: TestImage[]): TestImage {
  return { ...root, digest: root.descriptor.digest, blobs, children };
}

/**
 * https://github.com/opencontainers/image-spec/blob/main/config.md: `diff_ids` are those of the
 * unpacked layers.
 */
function imageConfig(
  platform: Platform,
  tars: Uint8Array[],
  options: ImageOptions,
): Record<string, unknown> {
  return {
    created: '2026-01-01T00:00:00Z',
    ...platform,
    config: options.config ?? {},
    rootfs: { type: 'layers', diff_ids: tars.map(sha256) },
    history:
      options.history ??
      tars.map((_, position) => ({
        created: '2026-01-01T00:00:00Z',
        created_by: `layer ${position}`,
      })),
  };
}

function parsePlatform(text: string): Platform {
  const [os = 'linux', architecture = 'amd64', variant] = text.split('/');
  return { os, architecture, ...(variant && { variant }) };
}

function compress(bytes: Uint8Array, compression: Compression): Uint8Array {
  if (compression === 'none') return bytes;
  return compression === 'gzip' ? gzipSync(bytes) : zstdCompressSync(bytes);
}

function withAnnotations(
  blob: TestBlob,
  annotations: Record<string, string> | undefined,
): TestBlob {
  return annotations === undefined
    ? blob
    : { ...blob, descriptor: { ...blob.descriptor, annotations } };
}

function bare({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
