import type { StagingJob } from '@portcullis/domain';
import type { JobSummary } from '../jobs/port.ts';
import type { Page } from '../page-port.ts';

/** A manifest as the index keeps it. */
export interface ManifestFacts {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  subject: string | null;
  size: number;
  /** What it is made of, each digest once. */
  contents: { digest: string; size: number; isManifest: boolean }[];
  /** `os/architecture[/variant]`; of an index, those of its images. */
  platforms: string[];
}

export interface StoredImage {
  repository: string;
  /** Null for a manifest that goes by its digest alone. */
  tag: string | null;
  digest: string;
  /** Children before parents. Those the index has already may be left out. */
  manifests: ManifestFacts[];
  at: Date;
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
  /** With all that lies beneath, each blob counted once. */
  size: number;
  platforms: string[];
  updatedAt: Date;
  /** Of the newest staging job of that digest which has one, as it was judged then. */
  verdict: StagingJob['verdict'] | null;
}

export interface IndexedReferrer {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  size: number;
}

export interface RepositoryFilter {
  /** Folders whose repositories are listed. */
  folders: 'all' | readonly string[];
  /** Part of the name, upper or lower case. */
  search?: string | undefined;
  /** From 1. */
  page: number;
  pageSize: number;
}

export interface TagFilter {
  /** Part of the tag, upper or lower case, or a whole digest. */
  q?: string | undefined;
  limit?: number;
  cursor?: string | undefined;
}

export interface TreeFilter extends Pick<RepositoryFilter, 'folders' | 'page' | 'pageSize'> {
  /** What is below: null for the folders themselves, `__root__` for what no folder governs, else a path. */
  path: string | null;
}

/** A folder, a path segment, a repository, or a repository that others are below. */
export interface TreeNode {
  /** A folder's, or a segment. */
  name: string;
  path: string;
  isRepository: boolean;
  /** Below it: itself isn't counted. */
  repositories: number;
  /** Its own and of all below it. */
  tagCount: number;
  /** Of the repositories, each with its own blobs counted once. */
  size: number;
  /** Null for an empty folder. */
  updatedAt: Date | null;
}

export interface Images {
  /** Repositories with a tag, by name. */
  list(filter: RepositoryFilter): Promise<{ items: IndexedRepository[]; total: number }>;
  /** The nodes of one level, by name, the root folder last. */
  tree(filter: TreeFilter): Promise<{ items: TreeNode[]; total: number }>;
  /** Names alone, those without a tag as well: so many after one of them. */
  names(page: {
    folders: RepositoryFilter['folders'];
    after?: string | undefined;
    limit: number;
  }): Promise<string[]>;
  find(repository: string): Promise<IndexedRepository | null>;
  /** Newest first. */
  tags(repository: string, filter: TagFilter): Promise<Page<IndexedTag>>;
  /** All of them; of one digest, where it is given. */
  tagNames(repository: string, digest?: string): Promise<{ tag: string; digest: string }[]>;
  /** All manifests of a repository, those without a tag as well. */
  digests(repository: string): Promise<string[]>;
  /** Those of them the index has. */
  known(repository: string, digests: readonly string[]): Promise<Set<string>>;
  /** Manifests of the repository that refer to this one. */
  referrers(repository: string, subject: string): Promise<IndexedReferrer[]>;
  /** Of the newest staging job of each digest that has one: of this account, or of any. */
  verdicts(
    digests: readonly string[],
    ownerId: string | null,
  ): Promise<Map<string, StagingJob['verdict']>>;
  /** The newest staging job that judged the digest. */
  judged(digest: string): Promise<JobSummary | null>;
  /** Repositories with a tag under a folder. */
  countUnder(folder: string): Promise<number>;

  /** A push, or what was found by looking. */
  record(image: StoredImage): Promise<void>;
  removeTag(repository: string, tag: string): Promise<void>;
  /** With all its tags. */
  removeManifest(repository: string, digest: string): Promise<void>;
  removeRepository(repository: string): Promise<void>;

  /** The registry lists these at this moment. */
  seen(repositories: readonly string[], at: Date): Promise<void>;
  /** Repositories that nobody listed or changed since. */
  unseenSince(at: Date, limit: number): Promise<string[]>;
}
