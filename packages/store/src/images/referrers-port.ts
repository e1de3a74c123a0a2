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
  limit: number;
}

export interface Referrers {
  /** Recording the same manifest again changes nothing. */
  record(referrer: Referrer): Promise<void>;
  /** Sorted by digest. */
  list(filter: ReferrerFilter): Promise<Referrer[]>;
  /** Removes a deleted manifest; one without a subject was never recorded. */
  remove(repository: string, digest: string): Promise<void>;
  /** As `remove`, for many. */
  removeAll(repository: string, digests: readonly string[]): Promise<void>;
  removeRepository(repository: string): Promise<void>;
}
