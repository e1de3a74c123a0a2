/**
 * What changed between two versions of the vulnerability database, and whether that can concern an
 * image. Every doubt counts as a change.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { KNOWN_ECOSYSTEMS } from '../judging/package-types.ts';
import { hashName, OS, packNames, unpackNames } from '../rematch/package-names.ts';
import type { ScannedImage, ScannedPart } from '../rematch/scanned-image.ts';
import { bucketOf, isReleaseBucket } from './releases.ts';

/** Hashes of package names; `all` where any package may be concerned. */
type Names = ReadonlySet<number> | 'all';

export interface DatabaseChanges {
  /** Packages of languages, by ecosystem. */
  ecosystems: ReadonlyMap<string, Names>;
  /** Packages of operating systems, by the bucket of their release. */
  releases: ReadonlyMap<string, Names>;
  /** Packages of operating systems that vendors rebuild, whatever the release. */
  vendors: Names;
}

export function changesOf() {
  const ecosystems = new Map<string, Set<number> | 'all'>();
  const releases = new Map<string, Set<number> | 'all'>();
  const vendors = new Map<string, Set<number> | 'all'>();
  /** `npm::GitHub Security Advisory npm`, and `seal npm::…` of a vendor. */
  function add(bucket: string, name: string | null): void {
    const [source = '', ...rest] = bucket.split('::');
    if (rest.length > 0) {
      const ecosystem = source.split(' ').at(-1) ?? '';
      if (KNOWN_ECOSYSTEMS.has(ecosystem)) note(ecosystems, ecosystem, ecosystem, name);
    } else if (isReleaseBucket(bucket)) note(releases, bucket, OS, name);
    else note(vendors, '', OS, name);
  }
  return {
    add,
    get changes(): DatabaseChanges {
      return { ecosystems, releases, vendors: vendors.get('') ?? new Set<number>() };
    },
  };
}

function note(
  into: Map<string, Set<number> | 'all'>,
  key: string,
  ecosystem: string,
  name: string | null,
): void {
  const known = into.get(key) ?? new Set<number>();
  into.set(key, known);
  if (known === 'all') return;
  if (name === null) return void into.set(key, 'all');
  known.add(hashName(ecosystem, name));
  // A package of a module (`nodejs:12::npm`) is listed by its own name in images.
  const own = name.split('::').at(-1);
  if (own !== undefined && own !== name) known.add(hashName(ecosystem, own));
}

/** Whether no package of the image has other advisories or other details than before. */
export function concernsNothing(
  changes: DatabaseChanges,
  { parts }: ScannedImage,
  packages: Uint8Array | null,
): boolean {
  if (packages === null) return false;
  const names = unpackNames(packages);
  if ([...changes.ecosystems.values()].some((changed) => meets(changed, names))) return false;
  return parts.every((part) => part.os === null || keepsAdvisories(changes, part, names));
}

function keepsAdvisories(
  { releases, vendors }: DatabaseChanges,
  { os, log }: ScannedPart,
  names: Uint32Array,
): boolean {
  const bucket = os && bucketOf({ Family: os.family, Name: os.name, extended: os.extended }, log);
  if (!bucket || meets(vendors, names)) return false;
  const changed = releases.get(bucket);
  return changed === undefined || !meets(changed, names);
}

function meets(changed: Names, names: Uint32Array): boolean {
  if (changed === 'all') return true;
  return changed.size > 0 && names.some((name) => changed.has(name));
}

const Packed = z.union([z.literal('all'), z.base64()]);
const Packs = z.record(z.string(), Packed);
const PackedChanges = z.object({ ecosystems: Packs, releases: Packs, vendors: Packed });

export function packChanges(changes: DatabaseChanges): z.infer<typeof PackedChanges> {
  const all = (names: DatabaseChanges['releases']) =>
    Object.fromEntries([...names].map(([key, each]) => [key, pack(each)]));
  return {
    ecosystems: all(changes.ecosystems),
    releases: all(changes.releases),
    vendors: pack(changes.vendors),
  };
}

function pack(names: Names): string {
  return names === 'all' ? 'all' : packNames(Uint32Array.from(names).sort()).toString('base64');
}

function unpack(packed: string): Names {
  return packed === 'all' ? 'all' : new Set(unpackNames(Buffer.from(packed, 'base64')));
}

/** Beside the newer database: what changed since the older one, and the dates of both. */
export const ChangesFile = z.object({ from: z.string(), to: z.string(), changes: PackedChanges });

export interface ChangesSince extends DatabaseChanges {
  /** The older database's date. */
  from: string;
}

export function changesFile(databaseDir: string): string {
  return join(databaseDir, 'changes.json');
}

/** Null where it is not known what changed. */
export async function readChanges(databaseDir: string, to: string): Promise<ChangesSince | null> {
  try {
    const file = ChangesFile.parse(JSON.parse(await readFile(changesFile(databaseDir), 'utf8')));
    if (file.to !== to) return null;
    const { ecosystems, releases, vendors } = file.changes;
    const all = (packed: Record<string, string>) =>
      new Map(Object.entries(packed).map(([key, each]) => [key, unpack(each)] as const));
    return {
      from: file.from,
      ecosystems: all(ecosystems),
      releases: all(releases),
      vendors: unpack(vendors),
    };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof z.ZodError || error instanceof SyntaxError)
      return null;
    throw error;
  }
}
