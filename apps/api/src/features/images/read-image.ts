/** Reads an image from a registry: manifest, platforms, layers and configuration. */
import { conflict, notFound } from '@portcullis/errors';
import {
  type Descriptor,
  type Index,
  isImageConfigType,
  isManifestType,
  type Manifest,
  type Platform,
  parseManifest,
  platformName,
  readWhole,
} from '@portcullis/oci';
import type { FetchedManifest, Repository } from '@portcullis/oci/remote';
import { readImageConfig, type ShownConfig } from './image-config.ts';

export interface ImageQuery {
  repository: string;
  /** Or a digest. */
  tag: string;
  /** The most common one by default. */
  platform: string | undefined;
}

interface PlatformImage {
  platform: Platform;
  digest: string;
  size: number;
}

export interface ImageContent {
  root: Descriptor;
  /** Of all platforms. */
  size: number;
  platforms: PlatformImage[];
  /** What the index lists and the registry does not have. */
  absent: Omit<PlatformImage, 'size'>[];
  /** Whose layers and configuration these are; null where no image was found. */
  chosen: (Omit<PlatformImage, 'platform'> & { platform: Platform | null }) | null;
  layers: (Descriptor & { createdBy: string | null })[];
  config: ShownConfig;
}

/** How long a registry may take. */
const PATIENCE_MS = 20_000;

/** Until when a registry is waited for; the client may leave before. */
export function patienceOf({ signal }: { signal?: AbortSignal | undefined } = {}): AbortSignal {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  return signal ? AbortSignal.any([patience, signal]) : patience;
}
/** Sizes are reported for the first platforms only. */
const MOST_PLATFORMS = 64;
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** @throws not_found `PLATFORM_UNKNOWN`; conflict `PLATFORM_ABSENT`; what the registry answers */
export async function readImage(
  repository: Repository,
  query: ImageQuery,
  signal: AbortSignal,
): Promise<ImageContent> {
  const root = await repository.manifest(query.tag, { signal });
  const document = await parse(root);
  return document.kind === 'manifest'
    ? readSingle(repository, root, document, { query, signal })
    : readIndex(repository, root, document, { query, signal });
}

interface Reading {
  query: ImageQuery;
  signal: AbortSignal;
}

async function readSingle(
  repository: Repository,
  root: FetchedManifest,
  manifest: Manifest,
  { query, signal }: Reading,
): Promise<ImageContent> {
  const config = await configOf(repository, manifest, signal);
  const { digest } = root.descriptor;
  const size = sizeOf([{ fetched: root, document: manifest }]);
  const platforms = config.platform ? [{ platform: config.platform, digest, size }] : [];
  if (query.platform !== undefined) choose(platforms, query.platform);
  const chosen = { platform: config.platform, digest, size };
  const layers = layersOf(manifest, config);
  return { root: root.descriptor, size, platforms, absent: [], chosen, layers, config };
}

async function readIndex(
  repository: Repository,
  root: FetchedManifest,
  index: Index,
  { query, signal }: Reading,
): Promise<ImageContent> {
  const { children, absent } = await readChildren(repository, index, signal);
  const size = sizeOf([{ fetched: root, document: index }, ...children]);
  const platforms = children.flatMap((child) => {
    const { platform, digest } = child.descriptor;
    return platform && platform.os !== 'unknown'
      ? [{ platform, digest, size: sizeOf([child]) }]
      : [];
  });
  const chosen = choose(platforms, query.platform, absent);
  const picked = children.find(({ descriptor }) => descriptor.digest === chosen?.digest)?.document;
  const manifest = picked?.kind === 'manifest' ? picked : null;
  const config = manifest
    ? await configOf(repository, manifest, signal)
    : await readImageConfig(null);
  const layers = manifest ? layersOf(manifest, config) : [];
  const found = { platforms, absent, chosen: chosen ?? null };
  return { root: root.descriptor, size, ...found, layers, config };
}

interface Read {
  fetched: FetchedManifest;
  document: Manifest | Index;
}

/** An index may be incomplete. */
async function readChildren(repository: Repository, index: Index, signal: AbortSignal) {
  const listed = index.manifests
    .filter(({ mediaType }) => isManifestType(mediaType))
    .slice(0, MOST_PLATFORMS);
  const read = await Promise.all(
    listed.map(async (descriptor) => {
      if (!(await repository.exists(descriptor, { signal }))) return null;
      const fetched = await repository.manifest(descriptor.digest, { signal });
      return { descriptor, fetched, document: await parse(fetched) };
    }),
  );
  const absent = listed.flatMap(({ platform, digest }, at) =>
    !read[at] && platform && platform.os !== 'unknown' ? [{ platform, digest }] : [],
  );
  return { children: read.filter((child) => child !== null), absent };
}

function parse({ bytes, descriptor }: FetchedManifest): Promise<Manifest | Index> {
  return parseManifest(bytes, descriptor.mediaType);
}

/** Each blob counts once. */
function sizeOf(manifests: readonly Read[]): number {
  const sizes = new Map<string, number>();
  for (const { fetched, document } of manifests) {
    sizes.set(fetched.descriptor.digest, fetched.descriptor.size);
    if (document.kind === 'index') continue;
    for (const { digest, size } of [document.config, ...document.layers]) sizes.set(digest, size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/**
 * The most common platform by default.
 * @throws not_found `PLATFORM_UNKNOWN`; conflict `PLATFORM_ABSENT`
 */
function choose(
  platforms: PlatformImage[],
  wanted: string | undefined,
  absent: ImageContent['absent'] = [],
): PlatformImage | undefined {
  if (wanted === undefined)
    return platforms.find((each) => nameOf(each) === 'linux/amd64') ?? platforms[0];
  const found = imageFor(platforms, wanted);
  if (found) return found;
  if (imageFor(absent, wanted))
    throw conflict('PLATFORM_ABSENT', `The image has ${wanted}, which is not in this registry.`);
  throw notFound('PLATFORM_UNKNOWN', `The image has no ${wanted}.`);
}

function imageFor<Of extends Pick<PlatformImage, 'platform'>>(
  platforms: readonly Of[],
  wanted: string,
): Of | undefined {
  const exact = platforms.find((each) => nameOf(each) === wanted);
  return exact ?? platforms.find((each) => nameOf(each).startsWith(`${wanted}/`));
}

function nameOf({ platform }: Pick<PlatformImage, 'platform'>): string {
  return platformName(platform);
}

async function configOf(
  repository: Repository,
  { config }: Manifest,
  signal: AbortSignal,
): Promise<ShownConfig> {
  if (!isImageConfigType(config.mediaType) || config.size > MAX_CONFIG_BYTES)
    return readImageConfig(null);
  return readImageConfig(await readWhole(await repository.fetch(config, { signal }), config));
}

/**
 * Some history entries have no layer. If the others do not match the layers, no build steps are
 * shown.
 */
function layersOf({ layers }: Manifest, { steps }: ShownConfig): ImageContent['layers'] {
  const fits = steps.length === layers.length;
  return layers.map((layer, at) => ({ ...layer, createdBy: fits ? (steps[at] ?? null) : null }));
}
