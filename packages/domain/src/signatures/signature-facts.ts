/** What is known of the signatures of a digest, as it is kept. Policies decide over these facts. */
import type { SignatureReason } from './signature-reasons.ts';

/** Who vouches for the time of a signature. */
export const TIME_SOURCES = ['LOG', 'TIMESTAMP', 'SIGNING_AUTHORITY'] as const;
export type TimeSource = (typeof TIME_SOURCES)[number];

export interface VerifiedSignature {
  /** The signer, as people read it: the id of a key, an identity, a subject. */
  signer: string;
  /** When it was signed at the latest; null where its time needs no witness. */
  at: Date | null;
  timeSource: TimeSource | null;
  /** The address of the log or timestamp authority, or the subject of its certificate. */
  by: string | null;
  /** The address of the transparency log that has it. */
  log: string | null;
  /** From then on it is not known whether it still counts; null: nothing changes. */
  until: Date | null;
}

/** What one authority says of one signature of a digest. */
export interface SignatureFact {
  /** The name of the authority. */
  authority: string;
  authorityVersion: number;
  /** The digest of the manifest or layer that holds it. */
  signature: string;
  /** The type of the predicate of an attestation; null for a signature, or what can't be read. */
  predicateType: string | null;
  /** Null where `reason` says why it does not count. */
  verified: VerifiedSignature | null;
  reason: { code: SignatureReason; params: Readonly<Record<string, string>> } | null;
}

export interface SignatureFacts {
  facts: readonly SignatureFact[];
  /** Versions of the authorities for which every signature was asked, by name. */
  askedOf: Readonly<Record<string, number>>;
  /** Signatures beyond the limits, which were not read. */
  unread: number;
  /** False where a registry refused to say whether there are more. */
  isComplete: boolean;
  checkedAt: Date;
}

/** The authorities as they are now, by name. */
export type Authorities = ReadonlyMap<string, { version: number }>;
