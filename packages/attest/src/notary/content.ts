/** A signature of the Notary Project once it is read, the same for JWS and COSE. */

export type SigningScheme = 'notary.x509' | 'notary.x509.signingAuthority';

export const ALGORITHMS = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;
export type NotaryAlgorithm = (typeof ALGORITHMS)[number];

export interface NotaryContent {
  readonly kind: 'notary';
  /** The bytes that were signed. */
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly algorithm: NotaryAlgorithm;
  /** Certificates, from the signer's to the root's. */
  readonly chain: readonly Buffer[];
  readonly scheme: SigningScheme;
  /** As the signer says, or as the signing authority vouches for. */
  readonly signedAt: Date;
  readonly expiresAt: Date | null;
  /** A countersignature of a timestamp authority. */
  readonly timestamp: Buffer | null;
  readonly predicateType: null;
}
