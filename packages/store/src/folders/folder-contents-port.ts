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
  /** Differs after each change of what is used. */
  mark: string;
  /** Differs after a repository was created, removed or both, or came under another folder. */
  members: string;
  /** What was ever added to these repositories. It bounds their growth while `members` is equal. */
  added: bigint;
}

export interface FolderContents {
  /** Bytes of the blobs and manifests of its repositories, each digest counted once. */
  used(folder: string): Promise<number>;
  /** Reads one row for each repository. */
  bound(folder: string): Promise<UsedBound>;
  /** What manifests of the repository state as the size of a blob; null where none refers to it. */
  statedSize(repository: string, digest: string): Promise<number | null>;
  /** Replaces what manifests of the repository state. */
  correctSize(repository: string, digest: string, size: number): Promise<void>;
  /** Those of the digests that the folder has. */
  present(folder: string, digests: readonly string[]): Promise<PresentContent[]>;
}
