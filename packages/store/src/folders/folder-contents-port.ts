/** Types of the blobs and manifests that the repositories of a folder have, for its quota. */

export interface PresentContent {
  digest: string;
  /** The largest that a manifest states. */
  size: number;
  /** As a manifest, whose contents the folder has as well. */
  isManifest: boolean;
}

export interface UsedBound {
  /** At least as much as is used: what several repositories share counts several times. */
  bytes: number;
  /** Another one after each change of what is used. */
  mark: string;
}

export interface FolderContents {
  /** Bytes of the blobs and manifests of its repositories, each digest counted once. */
  used(folder: string): Promise<number>;
  /** Reads one row for each repository. */
  bound(folder: string): Promise<UsedBound>;
  /** Those of the digests that the folder has. */
  present(folder: string, digests: readonly string[]): Promise<PresentContent[]>;
}
