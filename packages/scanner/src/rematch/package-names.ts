/**
 * The names under which Trivy looks up an image's packages in its database, as 32-bit hashes: few
 * bytes for each image, and a collision only causes a re-match that was not needed.
 */
import { z } from 'zod';
import { ecosystemOf } from '../judging/package-types.ts';

const Package = z.object({ Name: z.string().nullish(), SrcName: z.string().nullish() });

/** Trivy's analysis of a layer, as it is in Redis; only the fields that are used. */
export const LayerAnalysis = z.object({
  SchemaVersion: z.number(),
  DiffID: z.string().nullish(),
  PackageInfos: z.array(z.object({ Packages: z.array(Package).nullish() })).nullish(),
  Applications: z
    .array(z.object({ Type: z.string(), Packages: z.array(Package).nullish() }))
    .nullish(),
  CustomResources: z.array(z.unknown()).nullish(),
});
export type LayerAnalysis = z.infer<typeof LayerAnalysis>;

/** The packages of an operating system, whichever it is. */
export const OS = 'os';

/** Null where a kind of application is unknown, so that any change may concern it. */
export function packageNames(layers: readonly LayerAnalysis[]): Uint32Array | null {
  const names = new Set<number>();
  for (const { PackageInfos, Applications, CustomResources } of layers) {
    if ((CustomResources ?? []).length > 0) return null;
    for (const { Packages } of PackageInfos ?? []) addAll(names, OS, Packages);
    for (const { Type, Packages } of Applications ?? []) {
      const ecosystem = ecosystemOf(Type);
      if (ecosystem === null) return null;
      addAll(names, ecosystem, Packages);
    }
  }
  return Uint32Array.from(names).sort();
}

function addAll(
  names: Set<number>,
  ecosystem: string,
  packages: readonly z.infer<typeof Package>[] | null | undefined,
): void {
  for (const { Name, SrcName } of packages ?? [])
    for (const name of [Name, SrcName]) if (name) names.add(hashName(ecosystem, name));
}

/**
 * Hashes what all spellings of a name have in common: ecosystems differ in how they fold case,
 * hyphens and addresses.
 */
export function hashName(ecosystem: string, name: string): number {
  const folded = name
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/\.git$/, '')
    .replace(/[-_.]+/g, '-');
  return fnv1a32(Buffer.from(`${ecosystem}\0${folded}`));
}

function fnv1a32(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function packNames(names: Uint32Array): Buffer {
  const bytes = Buffer.alloc(names.length * 4);
  for (const [at, name] of names.entries()) bytes.writeUInt32LE(name, at * 4);
  return bytes;
}

export function unpackNames(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.byteLength >> 2 }, (_, at) =>
    view.getUint32(at * 4, true),
  );
}
