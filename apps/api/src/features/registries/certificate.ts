import { X509Certificate } from 'node:crypto';
import { fieldInvalid } from '../../http/problem.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Validates the certificate before it is stored.
 * @throws invalid `CA_CERT_INVALID`
 */
export function checkedCertificate(pem: string | null | undefined): void {
  if (pem === null || pem === undefined) return;
  const blocks = pem.match(BLOCK) ?? [];
  const rest = pem.replaceAll(BLOCK, '');
  // A private key in the text would be shown to all readers of the registry.
  if (blocks.length === 0 || rest.includes('-----BEGIN') || !blocks.every(isCertificate)) {
    throw fieldInvalid(
      'ca_cert',
      'CA_CERT_INVALID',
      'Certificates in PEM are expected, and nothing else.',
    );
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
