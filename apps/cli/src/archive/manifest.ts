/** The manifest of a backup: its first entry, with its layout and version. */
import { z } from 'zod';

export const FORMAT = 1;

export const BackupManifest = z.object({
  format: z.literal(FORMAT),
  product: z.literal('portcullis'),
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** Number of secrets by the key they are sealed with. */
  sealedWith: z.record(z.string(), z.number()),
  images: z.boolean(),
  key: z.boolean(),
  staging: z.boolean().default(false),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/**
 * The entries of an archive, in this order. The order of the registry's files makes a copy of a
 * running registry consistent.
 */
export const ENTRIES = {
  manifest: 'manifest.json',
  key: 'key.json',
  database: 'database/',
  registry: 'registry/',
  /** Audit events that were not yet in the database, one per line. */
  audit: 'audit.jsonl',
  /**
   * Each blob of the staged layouts once, their other files, and finally which blobs each layout
   * has.
   */
  stagedBlobs: 'staging/blobs/',
  stagedFiles: 'staging/jobs/',
  stagedLinks: 'staging/links.json',
  /** SHA-256 by name of all entries before it: an archive without it is truncated. */
  checksums: 'checksums.json',
} as const;

const MIB = 2 ** 20;

/** Bounds on what a backup and a restore keep in memory. */
export interface ArchiveLimits {
  /** Bytes by the name of an entry that is read as a whole; the others are streamed. */
  entries: Readonly<Record<string, number>>;
  /** Bytes of the names of all entries with their checksums. */
  checksums: number;
}

/**
 * 500 MiB of checksums are about two million files, and almost as long as a text can be in
 * JavaScript.
 */
export const LIMITS: ArchiveLimits = {
  entries: {
    [ENTRIES.manifest]: MIB,
    [ENTRIES.key]: MIB / 16,
    [ENTRIES.stagedLinks]: 500 * MIB,
    [ENTRIES.checksums]: 500 * MIB,
  },
  checksums: 500 * MIB,
};

/** The length of a name with its checksum in `checksums.json`. */
export function sizeInChecksums(name: string): number {
  return Buffer.byteLength(name) + '"":"",'.length + SHA256_HEX;
}
const SHA256_HEX = 64;

const SEGMENT = /^\w[\w.:+@-]*$/;

/** Whether a relative path stays inside its directory. */
export function isPlainPath(text: string): boolean {
  return text.split('/').every((segment) => SEGMENT.test(segment));
}

/** Maps files below a layout's directory, which are hard links, to blobs. */
export const StagedLinks = z.record(
  z.string().refine(isPlainPath),
  z.string().regex(/^sha(?:256|512)\/[0-9a-f]+$/),
);
export type StagedLinks = z.infer<typeof StagedLinks>;

export const Checksums = z.record(z.string(), z.string());
