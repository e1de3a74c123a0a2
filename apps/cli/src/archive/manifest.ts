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
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** The entries of an archive, in this order. The registry's are in the order that makes a copy of a living one whole. */
export const ENTRIES = {
  manifest: 'manifest.json',
  key: 'key.json',
  database: 'database/',
  registry: 'registry/',
  /** SHA-256 by name of all before it: an archive without it was cut short. */
  checksums: 'checksums.json',
} as const;

export const Checksums = z.record(z.string(), z.string());
