/** Selects the images of an index by platform and writes the reduced index. */
import { invalid, notFound } from '../oci-error.ts';
import { type Descriptor, type Platform, platformName } from './descriptor.ts';
import type { Index } from './manifest.ts';
import { isIndexType, OCI_INDEX } from './media-type.ts';

/** How people name a platform: `os/architecture[/variant]`. */
export const PLATFORM_NAME = /^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/;

/** The variant that an image has if it names none. */
const DEFAULT_VARIANTS: Record<string, string> = { arm64: 'v8', arm: 'v7' };

/**
 * BuildKit annotation of an attestation: the digest of the image in the same index that it
 * describes.
 */
const ATTESTED = 'vnd.docker.reference.digest';

/**
 * Selects the children for the wanted platforms (`os/architecture[/variant]`) and their
 * attestations.
 * @throws invalid `PLATFORM_INVALID`; not_found `PLATFORM_UNKNOWN` if a platform is missing
 */
export function choosePlatforms(
  index: Index,
  wanted: string[],
): { images: Descriptor[]; attestations: Descriptor[] } {
  const images = wanted.flatMap((name) => {
    const found = imagesFor(index, name);
    if (found.length === 0) throw unknownPlatform(platformsOf(index), name);
    return found;
  });
  return {
    images: [...new Map(images.map((image) => [image.digest, image])).values()],
    attestations: attestationsOf(index, images),
  };
}

/**
 * The children that are left at the source where an index is copied as it is for some platforms.
 * None where it has none of these.
 */
export function leftForPlatforms(index: Index, wanted: readonly string[]): Descriptor[] {
  const images = wanted.flatMap((name) => imagesFor(index, name));
  if (images.length === 0) return [];
  const chosen = new Set([...images, ...attestationsOf(index, images)].map(({ digest }) => digest));
  return index.manifests.filter(({ digest }) => !chosen.has(digest));
}

function imagesFor({ manifests }: Index, name: string): Descriptor[] {
  const wanted = parsePlatform(name);
  return manifests.filter(({ platform }) => platform && matches(platform, wanted));
}

function attestationsOf({ manifests }: Index, images: readonly Descriptor[]): Descriptor[] {
  const digests = new Set<string>(images.map(({ digest }) => digest));
  return manifests.filter(
    ({ digest, annotations }) => !digests.has(digest) && digests.has(annotations?.[ATTESTED] ?? ''),
  );
}

/**
 * Writes a new index of some children, because registries reject an index with missing children.
 */
export function writeIndex(
  from: Index,
  manifests: Descriptor[],
  note: Record<string, string> | undefined,
): Uint8Array {
  const annotations = from.mediaType === OCI_INDEX &&
    (note ?? from.annotations) && { annotations: { ...from.annotations, ...note } };
  const { mediaType, artifactType } = from;
  const document = {
    schemaVersion: 2,
    mediaType,
    ...(artifactType && { artifactType }),
    manifests,
    ...annotations,
  };
  return new TextEncoder().encode(JSON.stringify(document));
}

function parsePlatform(name: string): Platform {
  const [os, architecture, variant, ...rest] = name.toLowerCase().split('/');
  if (!os || !architecture || variant === '' || rest.length > 0) {
    throw invalid('PLATFORM_INVALID', 'a platform is os/architecture or os/architecture/variant');
  }
  return { os, architecture, ...(variant && { variant }) };
}

function matches(offered: Platform, wanted: Platform): boolean {
  if (offered.os !== wanted.os || offered.architecture !== wanted.architecture) return false;
  return wanted.variant === undefined || variantOf(offered) === wanted.variant;
}

function variantOf({ architecture, variant }: Platform): string | undefined {
  return variant || DEFAULT_VARIANTS[architecture];
}

function platformsOf({ manifests }: Index): Platform[] {
  return manifests.flatMap(({ mediaType, platform }) =>
    !isIndexType(mediaType) && platform && platform.os !== 'unknown' ? [platform] : [],
  );
}

/** @throws invalid `PLATFORM_INVALID`; not_found `PLATFORM_UNKNOWN` */
export function assertHasPlatforms(offered: Platform[], wanted: string[]): void {
  for (const name of wanted) {
    const platform = parsePlatform(name);
    if (!offered.some((each) => matches(each, platform))) throw unknownPlatform(offered, name);
  }
}

function unknownPlatform(offered: Platform[], name: string) {
  const available = offered.map(platformName);
  return notFound('PLATFORM_UNKNOWN', `the image has no ${name}`, {
    detail: { available: available.slice(0, 50) },
  });
}
