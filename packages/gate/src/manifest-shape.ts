/**
 * What a manifest is: an index, a container image, or another artifact. The bytes decide, not the
 * media types that a push states: a manifest that an engine could run is an image. Manifests are
 * addressed by their content, so the answer for a digest never changes.
 */
import { unavailable, unlessMissing } from '@portcullis/errors';
import {
  type Descriptor,
  type Digest,
  type Index,
  isDigest,
  isManifestType,
  isRunnable,
  type Manifest,
  parseManifest,
  platformName,
  readWhole,
  type Source,
} from '@portcullis/oci';
import { LRUCache } from 'lru-cache';
import { createTurns } from './in-turns.ts';

export type ManifestShape =
  | { kind: 'index'; children: ChildManifest[] }
  | { kind: 'image' }
  | { kind: 'artifact'; subject: Digest | null };

interface ChildManifest {
  digest: Digest;
  platform: string | null;
  /** By its media type: a build cache of BuildKit is an index of layers. */
  isManifest: boolean;
}

interface ManifestName {
  repository: string;
  digest: string;
}

/** Of one request, which may ask for the shapes of many manifests. */
interface ShapeRequest {
  /** Ends the request, as its client does by leaving. */
  signal?: AbortSignal | undefined;
  /** Bytes of blobs that may still be read for it; what is read is subtracted. */
  budget: { bytes: number };
}

/**
 * Null for a manifest that the repository does not have. Where the budget does not last it is an
 * image, which is decided more strictly; the next request reads on.
 * @throws unavailable `SHAPE_TIMEOUT`
 */
export type ShapeOf = (
  manifest: ManifestName,
  request: ShapeRequest,
) => Promise<ManifestShape | null>;

/** In children and manifests, so that wide indexes don't fill the memory. */
const MOST_KNOWN = 200_000;
/** Without the time that it waits for its turn. */
const PATIENCE_MS = 15_000;
/** Reading blobs takes time of the only thread: others are served between. */
const READ_AT_ONCE = 2;

/** @param patienceMs how long the content of one manifest may take */
export function createShapes(
  open: (repository: string) => Source,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): ShapeOf {
  const known = new LRUCache<string, ManifestShape>({
    maxSize: MOST_KNOWN,
    sizeCalculation: (shape) => 1 + (shape.kind === 'index' ? shape.children.length : 0),
  });
  const facts = new LRUCache<string, boolean>({ max: MOST_KNOWN });
  const reading = new Map<string, Reading>();
  const inTurns = createTurns(READ_AT_ONCE);

  async function read(
    key: string,
    { repository, digest }: ManifestName,
    { signal, budget }: ShapeRequest & { signal: AbortSignal },
  ) {
    try {
      const source = open(repository);
      const document = await within(patienceMs, signal, (limit) =>
        readDocument(source, digest, limit),
      );
      if (document === null || document === 'unreadable' || document.kind === 'index')
        return keep(key, shapeWithoutBlobs(document));
      const folder = repository.split('/', 1)[0] ?? '';
      const isImage = await inTurns(folder, signal, () =>
        within(patienceMs, signal, (limit) =>
          isRunnable(document, source, { signal: limit, facts, spend: spendFrom(budget) }),
        ),
      );
      const { subject } = document;
      return keep(key, isImage ? IMAGE : { kind: 'artifact', subject: subject?.digest ?? null });
    } catch (error) {
      if (error === SPENT) return IMAGE;
      throw error;
    }
  }

  function keep(key: string, shape: ManifestShape | null): ManifestShape | null {
    if (shape) known.set(key, shape);
    return shape;
  }

  function begin(key: string, manifest: ManifestName, { budget }: ShapeRequest): Reading {
    const left = new AbortController();
    const shape = read(key, manifest, { signal: left.signal, budget });
    const begun = { shape, left, waiting: 0 };
    reading.set(key, begun);
    const dropEnded = () => {
      if (reading.get(key) === begun) reading.delete(key);
    };
    shape.then(dropEnded, dropEnded);
    return begun;
  }

  // By repository too: another one's manifest is none of this one, and says nothing to its readers.
  return async (manifest, request) => {
    request.signal?.throwIfAborted();
    const key = `${manifest.repository}@${manifest.digest}`;
    const before = known.get(key);
    if (before) return before;
    const running = reading.get(key);
    const joined =
      running && !running.left.signal.aborted ? running : begin(key, manifest, request);
    return awaited(joined, request.signal);
  };
}

const IMAGE: ManifestShape = { kind: 'image' };

interface Reading {
  shape: Promise<ManifestShape | null>;
  /** Requests that wait for it; the last that leaves ends it. */
  waiting: number;
  left: AbortController;
}

async function awaited(
  reading: Reading,
  signal: AbortSignal | undefined,
): Promise<ManifestShape | null> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const leave = () => {
    reading.waiting -= 1;
    if (reading.waiting === 0) reading.left.abort(signal?.reason);
    reject(signal?.reason);
  };
  reading.waiting += 1;
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([reading.shape, gone]);
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

/** Thrown by `spend`; it is no fault of the image. */
const SPENT = new Error('the blobs that one request may read are read');

function spendFrom(budget: { bytes: number }): (bytes: number) => void {
  return (bytes) => {
    if (budget.bytes <= 0) throw SPENT;
    budget.bytes -= bytes;
  };
}

async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = AbortSignal.timeout(ms);
  try {
    return await work(AbortSignal.any([signal, patience]));
  } catch (error) {
    if (!patience.aborted || signal.aborted) throw error;
    throw unavailable('SHAPE_TIMEOUT', 'the content of the image could not be read in time', {
      cause: error,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}

const RETRY_AFTER_SECONDS = 10;

/** Null where the repository has no such manifest. */
async function readDocument(
  source: Source,
  digest: string,
  signal: AbortSignal,
): Promise<Manifest | Index | 'unreadable' | null> {
  const found = await findManifest(source, digest, signal);
  if (!found || found.digest !== digest) return null;
  const bytes = await readWhole(await source.fetch(found, { signal }), found);
  return (await parse(bytes, found.mediaType)) ?? 'unreadable';
}

/** What cannot be parsed may still be run by an engine that can. */
function shapeWithoutBlobs(document: Index | 'unreadable' | null): ManifestShape | null {
  if (document === null) return null;
  if (document === 'unreadable') return IMAGE;
  return { kind: 'index', children: document.manifests.map(child) };
}

async function findManifest(
  source: Source,
  digest: string,
  signal: AbortSignal,
): Promise<Descriptor | null> {
  return isDigest(digest) ? unlessMissing(source.resolve(digest, { signal })) : null;
}

async function parse(bytes: Uint8Array, mediaType: string): Promise<Manifest | Index | null> {
  try {
    return await parseManifest(bytes, mediaType);
  } catch {
    return null;
  }
}

function child({ digest, platform, mediaType }: Descriptor): ChildManifest {
  const isManifest = isManifestType(mediaType);
  return { digest, platform: platform ? platformName(platform) : null, isManifest };
}
