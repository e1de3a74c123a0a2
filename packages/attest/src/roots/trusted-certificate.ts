import { X509Certificate } from '@sigstore/core';

/**
 * A certificate of a trust root. The library asks the same of it for each signature, which is two
 * thirds of the cost of one: it remembers its key, and by which others of the root it verifies.
 */
export class TrustedCertificate extends X509Certificate {
  readonly #answers = new WeakMap<X509Certificate, boolean>();
  #key: Buffer | undefined;

  override get publicKey(): Buffer {
    this.#key ??= super.publicKey;
    return this.#key;
  }

  override verify(issuer: X509Certificate = this): boolean {
    if (!(issuer instanceof TrustedCertificate)) return super.verify(issuer);
    const known = this.#answers.get(issuer) ?? super.verify(issuer);
    this.#answers.set(issuer, known);
    return known;
  }

  /** The whole is encoded only where the parts that name it are the same. */
  override equals(other: X509Certificate): boolean {
    return (
      this === other ||
      (this.serialNumber.equals(other.serialNumber) &&
        this.issuer.equals(other.issuer) &&
        super.equals(other))
    );
  }
}
