/** Extensions of certificates: those that are understood, and what Fulcio's say. */
import { ASN1Obj, type X509Certificate } from '@sigstore/core';
import { CLAIMS, type ClaimName } from '../authority/authority.ts';
import { Refusal } from '../reasons.ts';

/** What the libraries and this package enforce, or what constrains nothing. */
const UNDERSTOOD = new Set([
  '2.5.29.14', // subjectKeyIdentifier
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.35', // authorityKeyIdentifier
  '2.5.29.37', // extKeyUsage
]);

/** The issuer of a certificate with a critical extension wants it refused by all others. */
export function unknownCriticalExtension(certificate: X509Certificate): string | undefined {
  return certificate.extensions
    .map((extension) => extension.subs[0]?.toOID() ?? '')
    .find((oid) => !UNDERSTOOD.has(oid) && certificate.extension(oid)?.critical === true);
}

const FULCIO = '1.3.6.1.4.1.57264.1';
const ISSUER = 8;
/** Of certificates before 2023, as bare text. */
const OLD_ISSUER = 1;

/** @throws Refusal for two that differ: cosign reads the old one, and its successor the other */
export function issuerOf(certificate: X509Certificate): string | undefined {
  const issuer = textOf(certificate, ISSUER);
  const old = bareTextOf(certificate, OLD_ISSUER);
  if (issuer !== undefined && old !== undefined && issuer !== old) {
    throw new Refusal('CERTIFICATE_INVALID');
  }
  return issuer ?? old;
}

export function claimsOf(certificate: X509Certificate): Partial<Record<ClaimName, string>> {
  const claims = Object.entries(CLAIMS).flatMap(([name, number]) => {
    const text = textOf(certificate, number);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(claims);
}

const UTF8_STRING = 0x0c;
const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(certificate: X509Certificate, number: number): string | undefined {
  const value = certificate.extension(`${FULCIO}.${number}`)?.value;
  if (!value) return undefined;
  if (value[0] !== UTF8_STRING) throw new Refusal('CERTIFICATE_INVALID');
  return decoder.decode(ASN1Obj.parseBuffer(Buffer.from(value)).value);
}

function bareTextOf(certificate: X509Certificate, number: number): string | undefined {
  const value = certificate.extension(`${FULCIO}.${number}`)?.value;
  return value && decoder.decode(value);
}

/** The one identity: an address of a workflow, or of a person. */
export function subjectOf(certificate: X509Certificate): string | undefined {
  const extension = certificate.extSubjectAltName;
  const subject = extension?.uri ?? extension?.rfc822Name;
  // The library reads seven bits of each byte; text of eight would become another one.
  const isWhole = subject !== undefined && extension?.value.includes(Buffer.from(subject, 'utf8'));
  return isWhole ? subject : undefined;
}
