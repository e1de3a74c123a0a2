/**
 * What a manifest is: an index, a container image, or another artifact. The bytes decide, not the
 * media types that a push states: a manifest that an engine could run is an image. Manifests are
 * addressed by their content, so the answer for a digest never changes.
 */
import { unlessMissing } from '@portcullis/errors';
import {
  type Descriptor,
  type Digest,
  isDigest,
  isRunnable,
  parseManifest,
  platformName,
  readWhole,
  type Source,
} from '@portcullis/oci';
import { LRUCache } from 'lru-cache';

export type ManifestShape =
  | { kind: 'index'; children: ChildManifest[] }
  | { kind: 'image' }
  | { kind: 'artifact'; subject: Digest | null };

interface ChildManifest {
  digest: Digest;
  platform: string | null;
}

interface ManifestPlace {
  repository: string;
  digest: string;
}

/** Null for a manifest that the repository does not have. */
export type ShapeOf = (place: ManifestPlace) => Promise<ManifestShape | null>;

/** In children and manifests, so that wide indexes don't fill the memory. */
const MOST_KNOWN = 200_000;
const PATIENCE_MS = 15_000;

export function createShapes(open: (repository: string) => Source): ShapeOf {
  const known = new LRUCache<string, ManifestShape>({
    maxSize: MOST_KNOWN,
    sizeCalculation: (shape) => 1 + (shape.kind === 'index' ? shape.children.length : 0),
  });
  const reading = new Map<string, Promise<ManifestShape | null>>();

  async function read(key: string, { repository, digest }: ManifestPlace) {
    try {
      const shape = await readShape(open(repository), digest);
      if (shape) known.set(key, shape);
      return shape;
    } finally {
      reading.delete(key);
    }
  }

  // By repository too: another one's manifest is none of this one, and says nothing to its readers.
  return async (place) => {
    const key = `${place.repository}@${place.digest}`;
    const before = known.get(key);
    if (before) return before;
    const running = reading.get(key) ?? read(key, place);
    reading.set(key, running);
    return running;
  };
}

async function readShape(source: Source, digest: string): Promise<ManifestShape | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = await findManifest(source, digest, signal);
  if (!found || found.digest !== digest) return null;
  const bytes = await readWhole(await source.fetch(found, { signal }), found);
  const document = parsed(bytes, found.mediaType);
  // What cannot be parsed may still be run by an engine that can.
  if (!document) return { kind: 'image' };
  if (document.kind === 'index') return { kind: 'index', children: document.manifests.map(child) };
  if (await isRunnable(document, source, signal)) return { kind: 'image' };
  return { kind: 'artifact', subject: document.subject?.digest ?? null };
}

async function findManifest(
  source: Source,
  digest: string,
  signal: AbortSignal,
): Promise<Descriptor | null> {
  return isDigest(digest) ? unlessMissing(source.resolve(digest, { signal })) : null;
}

function parsed(bytes: Uint8Array, mediaType: string) {
  try {
    return parseManifest(bytes, mediaType);
  } catch {
    return null;
  }
}

function child({ digest, platform }: Descriptor): ChildManifest {
  return { digest, platform: platform ? platformName(platform) : null };
}
