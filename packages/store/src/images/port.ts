import type { RepositoryOrder, StagingJob, TagOrder, TagStandingGroup } from '@portcullis/domain';
import type { JobSummary } from '../jobs/port.ts';
import type { Page } from '../page-port.ts';

/** A manifest as stored in the index. */
export interface ManifestFacts {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  subject: string | null;
  size: number;
  /** The descriptors it references, each digest once. */
  contents: { digest: string; size: number; isManifest: boolean }[];
  /** `os/architecture[/variant]`; for an index, those of its images. */
  platforms: string[];
}

export interface StoredImage {
  repository: string;
  /** Null for a manifest pushed by digest only. */
  tag: string | null;
  digest: string;
  /** Children before parents. Manifests that are in the index already may be omitted. */
  manifests: ManifestFacts[];
  /**
   * When it was stored; now by default, by the clock of the database, as that of the process that
   * records a push may be wrong.
   */
  at?: Date;
  /** Reconciliation found it: when it was pushed is not known. */
  found?: boolean;
}

export interface IndexedRepository {
  name: string;
  /** The folder that governs it. */
  folder: string;
  tagCount: number;
  /** Each blob counted once. */
  size: number;
  updatedAt: Date;
}

export interface IndexedTag {
  tag: string;
  digest: string;
  mediaType: string;
  /** Total of the manifest and everything it references, each blob counted once. */
  size: number;
  platforms: string[];
  updatedAt: Date;
  /** Verdict of the newest staging job of that digest that has one, as of then. */
  verdict: StagingJob['verdict'] | null;
}

export interface IndexedReferrer {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  size: number;
}

/** A digest that at least one tag of the repository names. */
export interface TaggedDigest {
  repository: string;
  digest: string;
  /** The folder that governs the repository. */
  folder: string;
  /** Whether the index knows it as something else than an image. */
  isArtifact: boolean;
}

export interface RepositoryFilter {
  /** Folders whose repositories are listed. */
  folders: 'all' | readonly string[];
  /** Part of the name, case-insensitive. */
  search?: string | undefined;
  /** By name unless given. */
  order?: RepositoryOrder | undefined;
  /** Starts at 1. */
  page: number;
  pageSize: number;
}

export interface TagFilter {
  /** Part of the tag, case-insensitive, or a whole digest. */
  q?: string | undefined;
  /** As it was announced last. */
  standing?: TagStandingGroup | undefined;
  /** Newest first unless given. */
  order?: TagOrder | undefined;
  limit?: number;
  cursor?: string | undefined;
}

export interface TreeFilter extends Pick<RepositoryFilter, 'folders' | 'page' | 'pageSize'> {
  /**
   * The parent: null for the folders themselves, `__root__` for repositories in no folder, else a
   * path.
   */
  path: string | null;
}

/** A folder, a path segment, a repository, or a repository with others below it. */
export interface TreeNode {
  /** Name of the folder or segment. */
  name: string;
  path: string;
  isRepository: boolean;
  /** Number of repositories below it, not counting itself. */
  repositories: number;
  /** Tags of itself and everything below it. */
  tagCount: number;
  /** Sum over the repositories, each with its own blobs counted once. */
  size: number;
  /** Null for an empty folder. */
  updatedAt: Date | null;
}

export interface GateBypass {
  /** A username as it was then. */
  by: string;
  at: Date;
  reason: string | null;
  /** The code that would have refused the push. */
  code: string;
}

export interface Images {
  /** Repositories with a tag. */
  list(filter: RepositoryFilter): Promise<{ items: IndexedRepository[]; total: number }>;
  /** The nodes of one level, sorted by name, the root folder last. */
  tree(filter: TreeFilter): Promise<{ items: TreeNode[]; total: number }>;
  /** Only names, including repositories without a tag: up to `limit` after the given one. */
  names(page: {
    folders: RepositoryFilter['folders'];
    after?: string | undefined;
    limit: number;
  }): Promise<string[]>;
  find(repository: string): Promise<IndexedRepository | null>;
  /** Newest first. */
  tags(repository: string, filter: TagFilter): Promise<Page<IndexedTag>>;
  /** All tags; with `digest`, only the tags of that digest. */
  tagNames(repository: string, digest?: string): Promise<{ tag: string; digest: string }[]>;
  /**
   * Up to `limit` tags after the given one, in the order of the distribution specification, without
   * reading the others. Null where the index does not have the repository.
   */
  tagPage(
    repository: string,
    page: { after: string | undefined; limit: number },
  ): Promise<string[] | null>;
  /** Sorted by repository and digest: up to `limit` after the given one. */
  taggedDigests(page: {
    folders: RepositoryFilter['folders'];
    after?: Pick<TaggedDigest, 'repository' | 'digest'> | undefined;
    limit: number;
  }): Promise<TaggedDigest[]>;
  countTaggedDigests(folders: RepositoryFilter['folders']): Promise<number>;
  /** All manifests of a repository, including untagged ones. */
  digests(repository: string): Promise<string[]>;
  /** Which of the digests are in the index. */
  known(repository: string, digests: readonly string[]): Promise<Set<string>>;
  /** Manifests of the repository whose subject is this one. */
  referrers(repository: string, subject: string): Promise<IndexedReferrer[]>;
  /**
   * The verdict of the newest staging job of each digest that has one: of this account, or of any.
   */
  verdicts(
    digests: readonly string[],
    ownerId: string | null,
  ): Promise<Map<string, StagingJob['verdict']>>;
  /**
   * Those that the account has staged, and those in folders that it may pull from: their reports
   * tell it nothing that it may not read.
   */
  readable(
    digests: readonly string[],
    reader: { ownerId: string; folders: readonly string[] },
  ): Promise<Set<string>>;
  /** The newest staging job with a verdict on the digest: of this account, or of any. */
  judged(digest: string, ownerId: string | null): Promise<JobSummary | null>;
  /** The newest push of each digest into the repository that only a privilege let through. */
  bypasses(repository: string, digests: readonly string[]): Promise<Map<string, GateBypass>>;
  /** Number of tagged repositories in a folder. */
  countUnder(folder: string): Promise<number>;

  /** Records a push, or an image that the reconciliation found. */
  record(image: StoredImage): Promise<void>;
  removeTag(repository: string, tag: string): Promise<void>;
  /** Removes a manifest and all its tags. */
  removeManifest(repository: string, digest: string): Promise<void>;
  /** As `removeManifest`, for many. */
  removeManifests(repository: string, digests: readonly string[]): Promise<void>;
  removeRepository(repository: string): Promise<void>;

  /** Records that the registry lists these repositories now. */
  seen(repositories: readonly string[], at: Date): Promise<void>;
  /** Repositories that were neither listed nor changed since. */
  unseenSince(at: Date, limit: number): Promise<string[]>;
}
