/** A key that signs what this installation states about images. */
export interface NewSigningKey {
  /** `sha256:…` of the public key. */
  id: string;
  /** PEM. */
  publicKey: string;
}

export interface PublishedSigningKey extends NewSigningKey {
  signsFrom: Date;
  /** Null until another one follows it. */
  publishedUntil: Date | null;
  /** It signs now. */
  isCurrent: boolean;
}

export interface CurrentSigningKey extends NewSigningKey {
  /** PEM; null for one of `SIGNING_KEY_FILE`, which the database does not have. */
  privateKey: string | null;
}

export interface SigningKeyRotation {
  /** How long the new key is published before it signs. 0: a leaked key is withdrawn at once. */
  days: number;
}
