/** What a signature is once it is read: the same for each way in which it is stored. */
import type { Bundle } from '@sigstore/bundle';
import type { NotaryContent } from '../notary/content.ts';

/** A signature of cosign, or a bundle of Sigstore. */
export interface SigstoreContent {
  readonly kind: 'sigstore';
  /** The bytes that were signed. */
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Certificate, log entries and timestamps; signatures of older forms are read into one. */
  readonly bundle: Bundle;
  /** The type of the predicate; null for a plain signature. */
  readonly predicateType: string | null;
}

export type SignatureContent = SigstoreContent | NotaryContent;
