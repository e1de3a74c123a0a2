/** Media types of the OCI image specification (media-types.md) and of Docker image manifest v2. */
import type { Descriptor } from './descriptor.ts';

export const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
export const DOCKER_MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
export const DOCKER_INDEX = 'application/vnd.docker.distribution.manifest.list.v2+json';
export const DOCKER_SCHEMA1 = 'application/vnd.docker.distribution.manifest.v1+json';
export const DOCKER_SCHEMA1_SIGNED = 'application/vnd.docker.distribution.manifest.v1+prettyjws';
export const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
export const DOCKER_CONFIG = 'application/vnd.docker.container.image.v1+json';
export const OCI_EMPTY = 'application/vnd.oci.empty.v1+json';
export const OCTET_STREAM = 'application/octet-stream';

/**
 * Media types that we can copy, in order of preference: the `Accept` header of a manifest request.
 */
export const MANIFEST_MEDIA_TYPES: readonly string[] = [
  OCI_INDEX,
  OCI_MANIFEST,
  DOCKER_INDEX,
  DOCKER_MANIFEST,
];

const DOCKER_FOREIGN_LAYER = 'application/vnd.docker.image.rootfs.foreign.diff.tar';
const OCI_FOREIGN_LAYER = 'application/vnd.oci.image.layer.nondistributable.v1.tar';

/** The media type of a `Content-Type` header in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

export function isIndexType(mediaType: string): boolean {
  return mediaType === OCI_INDEX || mediaType === DOCKER_INDEX;
}

export function isSchema1Type(mediaType: string): boolean {
  return mediaType === DOCKER_SCHEMA1 || mediaType === DOCKER_SCHEMA1_SIGNED;
}

/** True for manifests and indexes, which are addressed by `/manifests/` and not by `/blobs/`. */
export function isManifestType(mediaType: string): boolean {
  return MANIFEST_MEDIA_TYPES.includes(mediaType) || isSchema1Type(mediaType);
}

export function isImageConfigType(mediaType: string): boolean {
  return mediaType === OCI_CONFIG || mediaType === DOCKER_CONFIG;
}

/**
 * A layer that the registry need not hold because its licence requires a download from `urls`,
 * which we never do.
 */
export function isForeign(descriptor: Descriptor): boolean {
  const { mediaType, urls } = descriptor;
  return isNonDistributable(mediaType) || (urls !== undefined && urls.length > 0);
}

/** Image spec § Non-Distributable Layers; Docker calls them foreign layers. */
export function isNonDistributable(mediaType: string): boolean {
  return mediaType.startsWith(DOCKER_FOREIGN_LAYER) || mediaType.startsWith(OCI_FOREIGN_LAYER);
}

/**
 * Index of the Amazon SOCI snapshotter, from which engines build the file system instead of from
 * the layers alone.
 */
export function isSociIndex({
  artifactType,
  config,
}: {
  artifactType?: string | undefined;
  config: Descriptor;
}): boolean {
  return [artifactType, config.mediaType].some((type) => type?.startsWith(SOCI_INDEX));
}

const SOCI_INDEX = 'application/vnd.amazon.soci.index.';
