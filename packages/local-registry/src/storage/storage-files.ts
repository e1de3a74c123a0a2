/**
 * The registry's storage as files below a root, in a directory or a bucket. Paths have slashes and
 * begin below `docker/registry/v2`: `blobs/…`, `repositories/…`.
 */
export interface StoredFile {
  path: string;
  size: number;
  modifiedAt: number;
}

export interface StorageFiles {
  /** Names of the subdirectories; empty where the directory does not exist. */
  directories(path: string): Promise<string[]>;
  /** Every file below a directory; none where it does not exist. */
  files(path: string): AsyncGenerator<StoredFile>;
  /** A whole file; null where it does not exist. @throws tooLarge `FILE_TOO_LARGE` */
  read(path: string): Promise<Buffer | null>;
}

/** More than a manifest may have. */
export const MAX_READ_BYTES = 8 * 1024 * 1024;
