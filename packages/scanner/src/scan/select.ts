/**
 * Selects the manifests of a layout that Trivy can scan. It decides by the content of the blobs
 * where it matters: an index labels real images `unknown/unknown` as it does attestations, and a
 * layer that claims to be an attestation may be an archive, which container engines still unpack.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid } from '@portcullis/errors';
import {
  algorithmOf,
  assertSize,
  type BlobContent,
  type Descriptor,
  type Digest,
  DOCKER_MANIFEST,
  encodedOf,
  holdsImageConfig,
  isImageConfigType,
  isManifestType,
  isSociIndex,
  MAX_MANIFEST_BYTES,
  type Manifest,
  OCI_MANIFEST,
  parseManifest,
  platformName,
} from '@portcullis/oci';
import { hasCode } from '@portcullis/runtime';
import { blobContent } from '../layers/blob-content.ts';
import { MAX_CONFIG_BYTES } from '../layers/image-config.ts';

/** A manifest or an index of the layout; an index includes all images below it. */
export interface ScanSubject {
  digest: Digest;
  /** `linux/amd64`; null for a single image. */
  platform: string | null;
}

export interface ScannableImage extends ScanSubject {
  manifest: Descriptor;
  config: Descriptor;
  layers: Descriptor[];
  /** It names a SOCI index, from which an engine may create the files of its layers. */
  isIndexed: boolean;
}

/** File name of an image's report. */
export function reportFile({ digest }: Pick<ScanSubject, 'digest'>): string {
  return `${digest.replace(':', '-')}.json`;
}

export interface ScanSelection {
  images: ScannableImage[];
  /** Everything other than images: attestations, signatures, charts. */
  artifacts: Artifact[];
  /** Images, or possible images, that Trivy cannot read. */
  unreadable: Unreadable[];
}

export interface Artifact {
  digest: Digest;
  type: string;
  /** It contains files or programs that no scan has seen. */
  isOpaque: boolean;
  /** False for a layer, or another blob, that an index lists. */
  isManifest: boolean;
}

export interface Unreadable {
  digest: Digest;
  /**
   * Why an image is unreadable: encrypted or unknown layers, or a configuration of an unknown type.
   */
  part: 'layer' | 'config';
  mediaType: string;
}

const MAX_DEPTH = 4;

interface Selecting {
  dir: string;
  absent: ReadonlySet<Digest>;
  into: ScanSelection;
}

/** @param absent what indexes list and is not to be looked for in the layout */
export async function select(
  dir: string,
  subjects: ScanSubject[],
  absent: ReadonlySet<Digest> = new Set(),
): Promise<ScanSelection> {
  const into: ScanSelection = { images: [], artifacts: [], unreadable: [] };
  for (const subject of subjects) await visit({ dir, absent, into }, subject, 0);
  return { ...into, images: distinct(into.images) };
}

async function visit(selecting: Selecting, subject: ScanSubject, depth: number): Promise<void> {
  const { dir, absent, into } = selecting;
  if (depth > MAX_DEPTH)
    throw invalid('SCAN_LAYOUT_INVALID', 'the image index is nested too deeply');
  const bytes = await readManifest(dir, subject.digest);
  const document = await parseManifest(bytes, '');
  if (document.kind === 'manifest') return sort(dir, subject, bytes.byteLength, document, into);
  for (const child of document.manifests) {
    if (absent.has(child.digest)) continue;
    const below = { digest: child.digest, platform: platformOf(child) };
    if (await isManifest(dir, child)) await visit(selecting, below, depth + 1);
    else into.artifacts.push(await blobIn(dir, child));
  }
}

/**
 * By its type, or by what it holds: podman asks the registry for a manifest whatever type the index
 * states. Blobs that are too large for one are not read.
 */
async function isManifest(dir: string, { digest, mediaType }: Descriptor): Promise<boolean> {
  if (isManifestType(mediaType)) return true;
  if ((await sizeOf(dir, digest)) > MAX_MANIFEST_BYTES) return false;
  if ((await contentIn(dir, digest)) !== 'json') return false;
  try {
    await parseManifest(await readBlob(dir, digest), '');
    return true;
  } catch {
    return false;
  }
}

async function blobIn(dir: string, { digest, mediaType: type }: Descriptor): Promise<Artifact> {
  const isOpaque = OPAQUE.has(await contentIn(dir, digest));
  return { digest, type, isOpaque, isManifest: false };
}

async function sizeOf(dir: string, digest: Digest): Promise<number> {
  return (await fromLayout(stat(blobPath(dir, digest)))).size;
}

/** @throws too_large `MANIFEST_TOO_LARGE` before it is read */
async function readManifest(dir: string, digest: Digest): Promise<Uint8Array> {
  assertSize(await sizeOf(dir, digest));
  return readBlob(dir, digest);
}

function blobPath(dir: string, digest: Digest): string {
  return join(dir, 'blobs', algorithmOf(digest), encodedOf(digest));
}

async function readBlob(dir: string, digest: Digest): Promise<Uint8Array> {
  return fromLayout(readFile(blobPath(dir, digest)));
}

/** All manifests must be in the layout: a missing one could still be pushed from its source. */
async function fromLayout<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete', { cause: error });
  }
}

async function sort(
  dir: string,
  subject: ScanSubject,
  size: number,
  document: Manifest,
  into: ScanSelection,
): Promise<void> {
  const { digest } = subject;
  const { config, layers } = document;
  const isImage = isImageConfigType(config.mediaType) || (await isImageConfig(dir, config));
  if (isImage && config.size <= MAX_CONFIG_BYTES && layers.every(isLayer)) {
    const isIndexed = document.annotations?.[SOCI_INDEX] !== undefined;
    const mediaType = document.mediaType === DOCKER_MANIFEST ? DOCKER_MANIFEST : OCI_MANIFEST;
    into.images.push({
      ...subject,
      manifest: { mediaType, digest: subject.digest, size },
      config,
      layers,
      isIndexed,
    });
    return;
  }
  const contents = await Promise.all(layers.map(({ digest }) => contentIn(dir, digest)));
  if (!isImage) {
    const type = document.artifactType ?? config.mediaType;
    const isOpaque = isSociIndex(document) || contents.some((content) => OPAQUE.has(content));
    into.artifacts.push({ digest, type, isOpaque, isManifest: true });
  } else if (
    contents.length > 0 &&
    contents.every((content) => content === 'json') &&
    !layers.some(isLayer)
  ) {
    const type = layers[0]?.mediaType ?? config.mediaType;
    into.artifacts.push({ digest, type, isOpaque: false, isManifest: true });
  } else {
    into.unreadable.push({ digest, ...unreadable(document) });
  }
}

const SOCI_INDEX = 'com.amazon.soci.index-digest';

/** Content that an engine may unpack or execute. */
const OPAQUE = new Set<BlobContent>(['archive', 'packed', 'program']);

function unreadable({ config, layers }: Manifest): Omit<Unreadable, 'digest'> {
  const layer = layers.find((each) => !isLayer(each));
  return layer
    ? { part: 'layer', mediaType: layer.mediaType }
    : { part: 'config', mediaType: config.mediaType };
}

async function contentIn(dir: string, digest: Digest): Promise<BlobContent> {
  return fromLayout(blobContent(dir, digest));
}

/** Whether a blob with another media type contains an image configuration. */
async function isImageConfig(dir: string, { digest, size }: Descriptor): Promise<boolean> {
  if (size > MAX_CONFIG_BYTES) return (await contentIn(dir, digest)) === 'json';
  return fromLayout(holdsImageConfig(createReadStream(blobPath(dir, digest))));
}

const LAYER =
  /^application\/vnd\.(?:oci\.image\.layer(?:\.nondistributable)?\.v1\.tar(?:\+(?:gzip|zstd))?|docker\.image\.rootfs\.(?:foreign\.)?diff\.tar(?:\.(?:gzip|zstd))?)$/;

function isLayer({ mediaType }: Descriptor): boolean {
  return LAYER.test(mediaType);
}

function platformOf({ platform }: Descriptor): string | null {
  return platform && platform.os !== 'unknown' ? platformName(platform) : null;
}

function distinct(images: ScannableImage[]): ScannableImage[] {
  return [...new Map(images.map((image) => [image.digest, image])).values()];
}
