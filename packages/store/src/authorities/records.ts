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

/** Of which authorities the signatures of a folder's images are asked: versions by name. */
export interface AskedAuthorities {
  folders: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The date of the shipped root: facts of another one are old. */
  root: string;
}

/** A place that one worker reads. */
export interface ClaimedSignatures extends SignedDigest {
  /** Fences the writes of its worker. */
  attempts: number;
  /** Which of the signatures that came and went it reads. */
  noted: number;
}

/** What one authority says of one signature of a digest. */
export interface StoredSignatureFact {
  /** The name. */
  authority: string;
  authorityVersion: number;
  /** The digest of the blob or manifest that holds it. */
  signature: string;
  /** Null: a signature; else the type of the predicate of an attestation. */
  predicateType: string | null;
  /** Null: it does not count, for `reason`. */
  verified: StoredVerification | null;
  reason: { code: string; params: Readonly<Record<string, string>> } | null;
}

export interface StoredVerification {
  signer: string;
  /** When it was signed at the latest; null where nobody vouches for that. */
  at: Date | null;
  timeSource: 'LOG' | 'TIMESTAMP' | 'SIGNING_AUTHORITY' | null;
  /** Who vouches for the time. */
  by: string | null;
  /** The transparency log that has it. */
  log: string | null;
}

/** What is known of the signatures of a digest. */
export interface StoredSignatureFacts {
  facts: readonly StoredSignatureFact[];
  /** Versions of the authorities for which every signature was asked, by name. */
  askedOf: Readonly<Record<string, number>>;
  /** Signatures beyond the limits, which nobody read. */
  unread: number;
  /** False where a registry refused to say whether there are more. */
  isComplete: boolean;
  checkedAt: Date;
}

/** What a worker read of a place. */
export interface ReadSignatures extends Omit<StoredSignatureFacts, 'checkedAt'> {
  /** The date of the shipped root that it verified with. */
  root: string;
}
