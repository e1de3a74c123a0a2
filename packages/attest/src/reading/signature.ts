/** Signatures as they were found. */
import type { Digest } from '@portcullis/oci';
import type { SignatureContent } from '../formats/content.ts';
import type { Reason } from '../reasons.ts';

/** How it is attached to the image. */
export type SignatureLayout = 'COSIGN_TAG' | 'REFERRER';

export type SignatureFormat = 'SIMPLE_SIGNING' | 'DSSE' | 'BUNDLE' | 'NOTARY_JWS' | 'NOTARY_COSE';

/** Where it is. */
export interface SignatureOrigin {
  /** What it is attached to: the image, or an index that lists it. */
  readonly subject: Digest;
  readonly layout: SignatureLayout;
  /** Null for what could not be read so far. */
  readonly format: SignatureFormat | null;
  readonly manifest: Digest;
  /** The blob that holds it; null where the manifest can't be read. */
  readonly blob: Digest | null;
}

export interface FoundSignature {
  readonly origin: SignatureOrigin;
  /** Null where `fault` says why it counts for no authority. */
  readonly content: SignatureContent | null;
  readonly fault: Reason | null;
}
