/** Cache of layer facts on disk, for layers that were scanned and whose bytes may be deleted. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  algorithmOf,
  type ChunkDigests,
  type Digest,
  encodedOf,
  isChunkDigests,
  isDigest,
} from '@portcullis/oci';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';

const LayerFacts = z.object({
  diffId: z.string(),
  hasOs: z.boolean(),
  databases: z.array(z.object({ system: z.string(), root: z.string(), path: z.string() })),
  /** What its whiteouts hide. */
  removed: z.array(z.string()),
  /** The files that tell of packages (unread/file-search.ts). */
  files: z.object({
    expected: z.array(z.string()),
    hidden: z.array(z.string()),
    releases: z.array(
      z.union([
        z.object({ path: z.string(), id: z.string() }),
        z.object({ path: z.string(), linkTo: z.string() }),
      ]),
    ),
    isComplete: z.boolean(),
  }),
  /** SHA-256 of the compressed layer, whatever algorithm its digest uses. */
  sha256: z.string().refine(isDigest),
  /** Unpacked size in bytes. */
  unpacked: z.number(),
  /** Verdict on the layer's tables of contents, by the annotations it was seen with. */
  tables: z.record(z.string(), z.enum(['none', 'agrees', 'unverified'])),
});
type LayerFacts = z.infer<typeof LayerFacts>;
export type UnpackedFacts = Omit<LayerFacts, 'sha256' | 'tables'>;

/** Raise this when layers are read by other rules: entries with another value are ignored. */
const RULES = 6;

/** For a layer with ever new annotations, only the newest are kept. */
const MAX_TABLES = 16;

const CachedLayer = LayerFacts.extend({
  rules: z.literal(RULES),
  /** Proof-of-possession data: a digest for each chunk of the layer. */
  witness: z
    .object({
      size: z.number(),
      parts: z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
    })
    .refine(isChunkDigests),
});
export interface CachedLayer extends LayerFacts {
  witness: ChunkDigests;
}

export async function readCachedLayer(
  cacheDir: string,
  digest: Digest,
): Promise<CachedLayer | null> {
  try {
    return CachedLayer.parse(JSON.parse(await readFile(fileOf(cacheDir, digest), 'utf8')));
  } catch (error) {
    // Written by an older version, or truncated by a power cut: the layer is read again.
    if (hasCode(error, 'ENOENT') || error instanceof z.ZodError || error instanceof SyntaxError)
      return null;
    throw error;
  }
}

export async function cacheLayer(
  cacheDir: string,
  digest: Digest,
  { witness: { size, parts }, tables, ...facts }: CachedLayer,
): Promise<void> {
  const path = fileOf(cacheDir, digest);
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${crypto.randomUUID()}`;
  const newest = Object.fromEntries(Object.entries(tables).slice(-MAX_TABLES));
  const witness = { size, parts: Buffer.from(parts).toString('base64') };
  await writeFile(draft, JSON.stringify({ ...facts, tables: newest, rules: RULES, witness }));
  await rename(draft, path);
}

/**
 * Entries expire after this time. Base layers that are still in use are read again then; nothing
 * else is lost.
 */
const LIFETIME_MS = 90 * 24 * 3600 * 1000;

export async function expireCachedLayers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir).catch(() => [])) {
    const path = join(cacheDir, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LIFETIME_MS) await rm(path, { force: true });
  }
}

function fileOf(cacheDir: string, digest: Digest): string {
  return join(cacheDir, `${algorithmOf(digest)}-${encodedOf(digest)}.json`);
}
