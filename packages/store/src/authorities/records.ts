import type { SignatureFacts } from '@portcullis/domain';

/** Whose signatures are trusted. */
export interface StoredAuthority {
  /** Never changes. */
  name: string;
  /** Grows with each save, and goes on where one of the same name was removed. */
  version: number;
  kind: string;
  /** As it was checked when it was saved. */
  document: AuthorityDocument;
  createdAt: Date;
  updatedAt: Date;
}

export type AuthorityDocument = Readonly<Record<string, unknown>>;

export interface SavedAuthority {
  name: string;
  document: AuthorityDocument & { kind: string };
  /** A username. */
  savedBy: string;
}

export interface AuthorityVersion {
  version: number;
  document: AuthorityDocument;
  /** A username. */
  savedBy: string;
  savedAt: Date;
}

/** A digest in a repository whose signatures are read. */
export interface SignedDigest {
  digest: string;
  /** The host, or `__local__`. */
  registry: string;
  repository: string;
}

/** A digest of another registry, with a job that pulled it from there. */
export interface PulledDigest extends SignedDigest {
  jobId: string;
}

/** A place that one worker reads. */
export interface ClaimedSignatures extends SignedDigest {
  /** Fences the writes of its worker. */
  attempts: number;
  /** Which of the signatures that came and went it reads. */
  noted: number;
}

/** What a worker read of a place. */
export interface ReadSignatures extends Omit<SignatureFacts, 'checkedAt'> {
  /** The date of the shipped root that it verified with. */
  root: string;
}

/** Why signatures could not be read. */
export interface SignaturesFault {
  code: string;
  /** Null for what another registry answered. */
  message: string | null;
  nextTryAt: Date | null;
}
