/** What is known of one signature for one authority. Facts are kept; policies decide over them. */
import type { TimeSource } from '@portcullis/domain';
import type { SignatureOrigin } from '../reading/signature.ts';
import type { Reason } from '../reasons.ts';

type Signer =
  | { readonly kind: 'key'; readonly keyId: string }
  | {
      readonly kind: 'keyless';
      readonly issuer: string;
      readonly subject: string;
      readonly claims: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'certificate';
      readonly subject: string;
      /** SHA-256 of the certificate. */
      readonly fingerprint: string;
    };

/** When it was signed at the latest, and what vouches for it; null where nothing has to. */
export interface SigningTime {
  readonly at: Date;
  readonly source: TimeSource;
  /** The address of the log or timestamp authority, or the subject of its certificate. */
  readonly by: string;
}

export interface Verified {
  readonly signer: Signer;
  readonly time: SigningTime | null;
  /** The address of the transparency log that has it. */
  readonly log: string | null;
  /** When it has to be verified again, because it may count no longer; null: never. */
  readonly until: Date | null;
}

export interface VerificationFact {
  readonly origin: SignatureOrigin;
  /** The name of the authority. */
  readonly authority: string;
  /** The type of the predicate of an attestation; null for a signature, or what can't be read. */
  readonly predicateType: string | null;
  /** Null where `reason` says why it does not count. */
  readonly verified: Verified | null;
  readonly reason: Reason | null;
}
