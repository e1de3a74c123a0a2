/**
 * The durable copy of what Trivy caches in Redis: its analyses of layers and configurations. It is
 * written after a scan, from Redis, and read where Redis has lost them, so that no layer is read
 * twice. Only keys that a scan of verified layers read get in, and only where the analysis names
 * the layer that was verified: nothing here is chosen by an image or by a client (decision 0001).
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { parseJson } from '@portcullis/oci';
import { type Logger, openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { LayerAnalysis, packageNames, packNames } from './package-names.ts';
import { keysOf, ScannedImage } from './scanned-image.ts';

interface Analysis {
  key: string;
  /** The layer that it is of; null for a configuration. */
  diffId: string | null;
  /** Compressed with Zstandard. */
  content: Uint8Array;
}

/** An image whose analyses are stored. */
interface AnalysedImage {
  digest: string;
  /** Another profile's analyses are not used. */
  profile: string;
  image: object;
  keys: string[];
  /** Hashes of its packages' names; null where any change of the database may concern it. */
  packages: Uint8Array | null;
}

/** Implemented by the database. */
export interface AnalysisStore {
  /** Which of these are not stored. Those that are stay for another day at least. */
  missing(keys: readonly string[]): Promise<string[]>;
  save(image: AnalysedImage, analyses: readonly Analysis[]): Promise<void>;
  find(digests: readonly string[]): Promise<AnalysedImage[]>;
  contents(keys: readonly string[]): Promise<Pick<Analysis, 'key' | 'content'>[]>;
  keysOfLayers(diffIds: readonly string[]): Promise<string[]>;
}

export interface Analyses extends AsyncDisposable {
  /** Stores the analyses of a scanned image. */
  keep(digest: string, profile: string, image: ScannedImage): Promise<void>;
  /** The stored facts of those images that have this profile, by digest. */
  find(digests: readonly string[], profile: string): Promise<Map<string, KeptImage>>;
  /** Puts back into Redis what it lost. False where an analysis is stored nowhere. */
  restore(keys: readonly string[]): Promise<boolean>;
  /** The same for the layers of an image that is about to be scanned. */
  restoreLayers(diffIds: readonly string[]): Promise<void>;
}

interface KeptImage {
  image: ScannedImage;
  packages: Uint8Array | null;
}

/** A larger analysis is not stored; its image is scanned again instead. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Redis keeps what is put back for as long as neighbouring images may need it. The durable copy
 * remains, so that Redis need not hold the analyses of a whole registry.
 */
const RESTORED_SECONDS = 15 * 60;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export function openAnalyses(
  redisUrl: string,
  store: AnalysisStore,
  log: Pick<Logger, 'info' | 'warn'>,
): Analyses {
  let connection: Redis | null = null;

  async function redis(): Promise<Redis> {
    connection ??= openRedis(redisUrl, { mode: 'fail-fast', log });
    await redisReady(connection);
    return connection;
  }

  async function read(key: string): Promise<Buffer> {
    const value = await (await redis()).getBuffer(key);
    if (value === null) throw new Error('the analysis has expired');
    if (value.length > MAX_BYTES) throw new Error(`the analysis has ${value.length} bytes`);
    return value;
  }

  /** @throws where Redis has lost one, or has one of another layer */
  async function keep(digest: string, profile: string, image: ScannedImage): Promise<void> {
    const diffIds = new Map(
      image.parts.flatMap(({ layers }) => layers.map(({ key, diffId }) => [key, diffId] as const)),
    );
    const missing = new Set(await store.missing(keysOf(image)));
    const layers: LayerAnalysis[] = [];
    const analyses: Analysis[] = [];
    for (const key of keysOf(image)) {
      const bytes = await read(key);
      const diffId = diffIds.get(key) ?? null;
      if (diffId !== null) layers.push(await parseLayer(bytes, diffId));
      if (missing.has(key)) analyses.push({ key, diffId, content: await compress(bytes) });
    }
    const names = packageNames(layers);
    const packages = names && packNames(names);
    await store.save({ digest, profile, image, keys: keysOf(image), packages }, analyses);
  }

  async function restore(keys: readonly string[]): Promise<boolean> {
    const client = await redis();
    if (keys.length === 0 || (await client.exists(...keys)) === keys.length) return true;
    const present = await Promise.all(keys.map((key) => client.exists(key)));
    const lost = keys.filter((_, at) => present[at] === 0);
    const found = await store.contents(lost);
    for (const { key, content } of found)
      await client.set(key, await decompress(content), 'EX', RESTORED_SECONDS);
    return found.length === lost.length;
  }

  return {
    keep,
    restore,
    async restoreLayers(diffIds) {
      await restore(await store.keysOfLayers(diffIds));
    },
    async find(digests, profile) {
      const kept = new Map<string, KeptImage>();
      for (const found of await store.find(digests)) {
        const parsed = ScannedImage.safeParse(found.image);
        if (found.profile === profile && parsed.success)
          kept.set(found.digest, { image: parsed.data, packages: found.packages });
      }
      return kept;
    },
    async [Symbol.asyncDispose]() {
      connection?.disconnect();
    },
  };
}

async function parseLayer(bytes: Buffer, diffId: string): Promise<LayerAnalysis> {
  const analysis = LayerAnalysis.parse(await parseJson(bytes));
  if (analysis.DiffID !== diffId) throw new Error('the analysis is of another layer');
  return analysis;
}
