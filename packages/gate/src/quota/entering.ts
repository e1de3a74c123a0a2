/** The manifests and blobs of an image that enters a folder, and which of them it has. */
import { isAppError, unlessMissing } from '@portcullis/errors';
import {
  type Descriptor,
  isManifestType,
  parseManifest,
  readWhole,
  type Source,
  successors,
} from '@portcullis/oci';
import type { Store } from '@portcullis/store';

export interface EnteringImage {
  root: Descriptor;
  /** Of the root, where the caller has them. */
  bytes?: Uint8Array;
  /** Where the manifests are read; by default in the repository that the image enters. */
  source?: Pick<Source, 'fetch'>;
}

export interface Contents {
  /** Manifests and blobs; a digest may occur several times. */
  sized: Descriptor[];
  /** The sizes of those that the folder has. */
  present: Map<string, number>;
}

export interface ContentsPorts {
  present(digests: readonly string[]): ReturnType<Store['folderContents']['present']>;
  source: Pick<Source, 'fetch'>;
}

/** The index of images follows no deeper ones either. */
const MOST_LEVELS = 5;
const AT_ONCE = 8;

/** Reads one level of manifests after the other; not those that the folder has already. */
export async function contentsOf(
  { root, bytes }: EnteringImage,
  { present, source }: ContentsPorts,
): Promise<Contents> {
  const found: Contents = { sized: [root], present: new Map() };
  const visited = new Set<string>();
  let level = await missingOf([root], found, present);
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS; depth++) {
    for (const { digest } of level) visited.add(digest);
    const { parts, absent } = await partsOfAll(level, (each) =>
      each === root && bytes ? Promise.resolve(bytes) : read(source, each),
    );
    found.sized = found.sized.filter(({ digest }) => !absent.has(digest)).concat(parts);
    const missing = await missingOf(parts, found, present);
    level = missing.filter(
      ({ digest, mediaType }) => isManifestType(mediaType) && !visited.has(digest),
    );
  }
  return found;
}

/** Each digest once, without the manifests whose contents the folder has. */
async function missingOf(
  parts: readonly Descriptor[],
  found: Contents,
  present: ContentsPorts['present'],
): Promise<Descriptor[]> {
  const distinct = new Map(parts.map((part) => [part.digest as string, part]));
  for (const { digest, size, isManifest } of await present([...distinct.keys()])) {
    found.present.set(digest, size);
    if (isManifest) distinct.delete(digest);
  }
  return [...distinct.values()];
}

interface Parts {
  parts: Descriptor[];
  /** What an index lists and does not enter: its size is only what the index says. */
  absent: ReadonlySet<string>;
}

/**
 * Each digest once, by the largest size that is stated: manifests may name the same layer many
 * thousand times. As a manifest where one of them says so.
 */
async function partsOfAll(
  manifests: readonly Descriptor[],
  bytesOf: (manifest: Descriptor) => Promise<Uint8Array | null>,
): Promise<Parts> {
  const waiting = manifests.values();
  const parts = new Map<string, Descriptor>();
  const absent = new Set<string>();
  const next = async () => {
    for (const each of waiting) {
      const bytes = await bytesOf(each);
      if (bytes === null) absent.add(each.digest);
      for (const { digest, mediaType, size } of await partsOf(bytes, each.mediaType)) {
        const known = parts.get(digest);
        const isManifest = known !== undefined && isManifestType(known.mediaType);
        parts.set(digest, {
          digest,
          mediaType: isManifest ? known.mediaType : mediaType,
          size: Math.max(size, known?.size ?? 0),
        });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return { parts: [...parts.values()], absent };
}

/** Null for a manifest that an index lists and the repository lacks. */
async function read(
  source: Pick<Source, 'fetch'>,
  manifest: Descriptor,
): Promise<Uint8Array | null> {
  const content = await unlessMissing(source.fetch(manifest));
  return content && readWhole(content, manifest);
}

/** A manifest that we can't parse is stored without contents. */
async function partsOf(bytes: Uint8Array | null, mediaType: string): Promise<Descriptor[]> {
  if (bytes === null) return [];
  try {
    return successors(await parseManifest(bytes, mediaType));
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}
