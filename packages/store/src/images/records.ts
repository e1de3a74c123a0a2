import type { RepositoryOrder, StagingJob, TagOrder, TagStandingGroup } from '@portcullis/domain';

/** A manifest as stored in the index. */
export interface ManifestFacts {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  subject: string | null;
  /** What a list of the referrers of `subject` says of it. */
  referrer?: Pick<Referrer, 'artifactType' | 'annotations'> | null;
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

/** What leads to a digest in a repository, here or elsewhere. */
export interface SeenDigest {
  repository: string;
  /** Empty for a digest that no tag leads to. */
  tag: string;
  digest: string;
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

export interface Referrer {
  repository: string;
  /** Digest of the referring manifest. */
  digest: string;
  subject: string;
  mediaType: string;
  artifactType: string | null;
  size: number;
  annotations: Record<string, string> | null;
}

export interface ReferrerFilter {
  repository: string;
  subject: string;
  artifactType?: string | undefined;
  /** Only digests after this one. */
  after?: string | undefined;
  /** By default all. */
  limit?: number;
}

export interface SavedRegistry {
  id: string;
  name: string;
  /** `host[:port]`, lower case. */
  host: string;
  username: string | null;
  hasPassword: boolean;
  /** Null: global, visible to all accounts. */
  ownerId: string | null;
  ownerName: string | null;
  useTls: boolean;
  tlsVerify: boolean;
  caCert: string | null;
  /** `host[:port]` of token services on other domains that may have the login. */
  tokenHosts: string[];
  /** Null: the first segment of a push is replaced by the username, where it can be one. */
  pushNamespace: string | null;
  system: boolean;
  /** Null: the default policy. */
  policyId: string | null;
  createdAt: Date;
  /** `code`: what failed; null where it is usable. */
  lastCheck: { at: Date; ok: boolean; code: string | null; message: string } | null;
}

export interface NewRegistry {
  name: string;
  host: string;
  username?: string | null;
  password?: string | null;
  ownerId?: string | null;
  useTls?: boolean;
  tlsVerify?: boolean;
  caCert?: string | null;
  tokenHosts?: string[];
  pushNamespace?: string | null;
  system?: boolean;
  policyId?: string | null;
}

export interface Credentials {
  username: string;
  password: string;
}
