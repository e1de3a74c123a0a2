/** What a backup says of itself: its first entry. */
import { z } from 'zod';

export const FORMAT = 1;

export const BackupManifest = z.object({
  format: z.literal(FORMAT),
  product: z.literal('portcullis'),
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** How many secrets are sealed with which key. */
  sealedWith: z.record(z.string(), z.number()),
  images: z.boolean(),
  key: z.boolean(),
  staging: z.boolean().default(false),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** The entries of an archive, in this order. The registry's are in the order that makes a copy of a living one whole. */
export const ENTRIES = {
  manifest: 'manifest.json',
  key: 'key.json',
  database: 'database/',
  registry: 'registry/',
  /** Audit events that were on their way to the database, a line each. */
  audit: 'audit.jsonl',
  /** Each blob of the staged layouts once, their other files, and at last which blobs each layout has. */
  stagedBlobs: 'staging/blobs/',
  stagedFiles: 'staging/jobs/',
  stagedLinks: 'staging/links.json',
  /** SHA-256 by name of all before it: an archive without it was cut short. */
  checksums: 'checksums.json',
} as const;

const SEGMENT = /^\w[\w.:+@-]*$/;

/** Of what becomes one: nothing leads out of where it is put. */
export function isPlainPath(text: string): boolean {
  return text.split('/').every((segment) => SEGMENT.test(segment));
}

/** Of a file below a layout's directory, which is a hard link, to its blob. */
export const StagedLinks = z.record(
  z.string().refine(isPlainPath),
  z.string().regex(/^sha(?:256|512)\/[0-9a-f]+$/),
);
export type StagedLinks = z.infer<typeof StagedLinks>;

export const Checksums = z.record(z.string(), z.string());
