export interface Referrer {
  repository: string;
  /** Of the manifest that refers. */
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
  /** Digests after this one. */
  after?: string | undefined;
  limit: number;
}

export interface Referrers {
  /** The same manifest again is the same entry. */
  record(referrer: Referrer): Promise<void>;
  /** By digest. */
  list(filter: ReferrerFilter): Promise<Referrer[]>;
  /** A manifest is gone from a repository; one that refers to nothing is none. */
  remove(repository: string, digest: string): Promise<void>;
  removeRepository(repository: string): Promise<void>;
}
