/**
 * The registry's storage as files below a root, whatever holds it. Paths have slashes and begin below
 * `docker/registry/v2`: `blobs/…`, `repositories/…`.
 */
export interface StoredFile {
  path: string;
  size: number;
  modifiedAt: number;
}

export interface StorageFiles {
  /** Names of the directories in a directory; none where it isn't there. */
  directories(path: string): Promise<string[]>;
  /** Every file in a directory and below; none where it isn't there. */
  files(path: string): AsyncGenerator<StoredFile>;
  /** A whole file; null where it isn't there. @throws tooLarge `FILE_TOO_LARGE` */
  read(path: string): Promise<Buffer | null>;
}

/** More than a manifest may have. */
export const MAX_READ_BYTES = 8 * 1024 * 1024;
