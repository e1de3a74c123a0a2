/**
 * Lists the packages of scanned images from the stored analyses of their layers. Nothing is pulled
 * or scanned for it, and the list is the one that the report was made from.
 */
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { inSlices, parseJson } from '@portcullis/oci';
import { z } from 'zod';
import type { AnalysisStore } from '../rematch/analyses.ts';
import { ScannedImage, type ScannedPart } from '../rematch/scanned-image.ts';
import { type ListedPackage, listedPackages } from './applied-layers.ts';

export interface ListedImage {
  /** Digests whose scan may tell: those of an index and of the platform's manifest. */
  scanned: readonly string[];
  /** The manifest of the platform. */
  digest: string;
}

/**
 * `missing`: no scan stored one, or it was removed since. `too_large`: it is over the limits below.
 */
export type StoredPackages = { packages: ListedPackage[] } | Absent;
type Absent = { absent: 'missing' | 'too_large' };

type PackageStore = Pick<AnalysisStore, 'find' | 'contents'>;

/** Unpacked, of one layer. */
const MAX_LAYER_BYTES = 32 * 1024 * 1024;
/** Of all layers together. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_PACKAGES = 50_000;
/** How many analyses are in memory at once. */
const AT_ONCE = 8;

const decompress = promisify(zstdDecompress);

/** The packages of one platform. */
export interface StoredPart {
  digest: string;
  /** `linux/arm64`; null for an image without an index. */
  platform: string | null;
  /** Null where none was recognised. */
  os: { family: string; name: string } | null;
  packages: ListedPackage[];
}

export async function readStoredPackages(
  store: PackageStore,
  { scanned, digest }: ListedImage,
): Promise<StoredPackages> {
  const parts = await partsOf(store, [...new Set(scanned)]);
  const part = parts.find((each) => each.digest === digest);
  return part ? packagesOf(store, part) : { absent: 'missing' };
}

/** Of all platforms that the scan of the digest covered. */
export async function readStoredParts(
  store: PackageStore,
  digest: string,
): Promise<{ parts: StoredPart[] } | Absent> {
  const found = await partsOf(store, [digest]);
  if (found.length === 0) return { absent: 'missing' };
  const parts: StoredPart[] = [];
  let room = MAX_PACKAGES;
  for (const part of found) {
    const listed = await packagesOf(store, part);
    if ('absent' in listed) return listed;
    room -= listed.packages.length;
    if (room < 0) return { absent: 'too_large' };
    const { platform, os } = part;
    parts.push({ digest: part.digest, platform, os, ...listed });
  }
  return { parts };
}

async function partsOf(store: PackageStore, scanned: readonly string[]): Promise<ScannedPart[]> {
  const stored = await store.find(scanned);
  return stored.flatMap(({ image }) => ScannedImage.safeParse(image).data?.parts ?? []);
}

async function packagesOf(store: PackageStore, part: ScannedPart): Promise<StoredPackages> {
  const analyses = await readAnalyses(store, part);
  if ('absent' in analyses) return analyses;
  const layers = part.layers.map(({ key, name }) => ({
    digest: name,
    analysis: analyses.found.get(key) ?? {},
  }));
  const options = { os: part.os?.family ?? 'os', most: MAX_PACKAGES };
  try {
    const packages = await inSlices(listedPackages(layers, options));
    return packages === null ? { absent: 'too_large' } : { packages };
  } catch (error) {
    if (error instanceof z.ZodError) return { absent: 'missing' };
    throw error;
  }
}

type Analyses = { found: Map<string, unknown> } | Absent;

async function readAnalyses(store: PackageStore, { layers }: ScannedPart): Promise<Analyses> {
  const keys = [...new Set(layers.map(({ key }) => key))];
  const found = new Map<string, unknown>();
  let size = 0;
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const wanted = keys.slice(at, at + AT_ONCE);
    const contents = await store.contents(wanted);
    if (contents.length < wanted.length) return { absent: 'missing' };
    for (const { key, content } of contents) {
      const bytes = await unpack(content);
      size += bytes?.length ?? 0;
      if (bytes === null || size > MAX_BYTES) return { absent: 'too_large' };
      found.set(key, await parseJson(bytes));
    }
  }
  return { found };
}

/** Null where it is over the limit. */
async function unpack(content: Uint8Array): Promise<Buffer | null> {
  try {
    return await decompress(content, { maxOutputLength: MAX_LAYER_BYTES });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
