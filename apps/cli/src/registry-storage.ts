/** Finds the storage directory of the built-in registry on this machine. */
import path from 'node:path';
import { registryStorageDir, standalonePaths } from '@portcullis/embedded';
import { conflict } from '@portcullis/errors';
import type { CliConfig } from './config.ts';

/** @throws conflict `STORAGE_UNKNOWN` */
export function registryStorage({
  registryStorageDir: given,
  registryUrl,
  dataDir,
}: CliConfig): string {
  if (given !== undefined) return path.resolve(given);
  if (registryUrl === undefined) return registryStorageDir(standalonePaths(dataDir).registry);
  const text =
    "the registry is an outside one, or its storage a bucket: set REGISTRY_STORAGE to its storage's directory";
  throw conflict(
    'STORAGE_UNKNOWN',
    `${text}, or leave the images to a backup of its storage with --without-images`,
  );
}
