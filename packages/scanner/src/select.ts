/**
 * Which manifests of a layout the scanner can read. Decided by what a manifest holds, never by what an index says of
 * it: a real image labelled `unknown/unknown`, as attestations are, must not slip past.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid } from '@portcullis/errors';
import {
  algorithmOf,
  type Descriptor,
  type Digest,
  DOCKER_MANIFEST,
  encodedOf,
  isImageConfigType,
  type Manifest,
  OCI_MANIFEST,
  parseManifest,
  platformName,
} from '@portcullis/oci';
import { hasCode } from '@portcullis/runtime';

/** A manifest or an index of the layout; an index stands for all images beneath it. */
export interface ScanSubject {
  digest: Digest;
  /** `linux/amd64`; null where the image is the only one. */
  platform: string | null;
}

export interface ScannableImage extends ScanSubject {
  manifest: Descriptor;
  config: Descriptor;
  layers: Descriptor[];
}

/** The file of an image's report, wherever reports lie. */
export function reportFile({ digest }: Pick<ScanSubject, 'digest'>): string {
  return `${digest.replace(':', '-')}.json`;
}

export interface Selection {
  images: ScannableImage[];
  /** What lies beside the images and can't hold packages: attestations, signatures, charts. */
  artifacts: string[];
  /** Images, or what may be some, that the scanner can't read: encrypted or unheard-of layers. */
  unreadable: string[];
}

const MAX_DEPTH = 4;

export async function select(layoutDir: string, subjects: ScanSubject[]): Promise<Selection> {
  const selection: Selection = { images: [], artifacts: [], unreadable: [] };
  for (const subject of subjects) await visit(layoutDir, subject, 0, selection);
  return { ...selection, images: distinct(selection.images) };
}

async function visit(dir: string, subject: ScanSubject, depth: number, into: Selection): Promise<void> {
  if (depth > MAX_DEPTH) throw invalid('SCAN_LAYOUT_INVALID', 'the image index is nested too deeply');
  const bytes = await readBlob(dir, subject.digest);
  const document = parseManifest(bytes, '');
  if (document.kind === 'manifest') return sort(subject, bytes.byteLength, document, into);
  for (const child of document.manifests) {
    await visit(dir, { digest: child.digest, platform: platformOf(child) }, depth + 1, into);
  }
}

/** All of it has to be here: what isn't may be pushed from its source all the same. */
async function readBlob(dir: string, digest: Digest): Promise<Uint8Array> {
  try {
    return await readFile(join(dir, 'blobs', algorithmOf(digest), encodedOf(digest)));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete', { cause: error });
  }
}

function sort(subject: ScanSubject, size: number, document: Manifest, into: Selection): void {
  const { config, layers } = document;
  if (!isImageConfigType(config.mediaType)) {
    into.artifacts.push(document.artifactType ?? config.mediaType);
  } else if (layers.every(isLayer)) {
    const mediaType = document.mediaType === DOCKER_MANIFEST ? DOCKER_MANIFEST : OCI_MANIFEST;
    into.images.push({ ...subject, manifest: { mediaType, digest: subject.digest, size }, config, layers });
  } else if (layers.every(isStatement)) {
    into.artifacts.push(layers[0]?.mediaType ?? config.mediaType);
  } else {
    into.unreadable.push(layers.find((layer) => !isLayer(layer))?.mediaType ?? 'unknown');
  }
}

const LAYER =
  /^application\/vnd\.(?:oci\.image\.layer(?:\.nondistributable)?\.v1\.tar(?:\+(?:gzip|zstd))?|docker\.image\.rootfs\.(?:foreign\.)?diff\.tar(?:\.(?:gzip|zstd))?)$/;

function isLayer({ mediaType }: Descriptor): boolean {
  return LAYER.test(mediaType);
}

/** BuildKit's attestations and cosign's signatures borrow the configuration of an image. */
const STATEMENT =
  /^application\/(?:vnd\.in-toto(?:\+json|\.[\w.+-]+)?|vnd\.dev\.cosign\.[\w.+-]+|vnd\.dsse\.[\w.+-]+)$/;

function isStatement({ mediaType }: Descriptor): boolean {
  return STATEMENT.test(mediaType);
}

function platformOf({ platform }: Descriptor): string | null {
  return platform && platform.os !== 'unknown' ? platformName(platform) : null;
}

function distinct(images: ScannableImage[]): ScannableImage[] {
  return [...new Map(images.map((image) => [image.digest, image])).values()];
}
