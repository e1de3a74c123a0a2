import { X509Certificate } from '@sigstore/core';

/**
 * A certificate of a trust root. It remembers by which others of the root it verifies: the library
 * asks again for each signature, which is two thirds of the cost of one.
 */
export class TrustedCertificate extends X509Certificate {
  readonly #answers = new WeakMap<X509Certificate, boolean>();

  override verify(issuer: X509Certificate = this): boolean {
    if (!(issuer instanceof TrustedCertificate)) return super.verify(issuer);
    const known = this.#answers.get(issuer) ?? super.verify(issuer);
    this.#answers.set(issuer, known);
    return known;
  }
}
