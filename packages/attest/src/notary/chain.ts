/**
 * The rules of the Notary Project for chains of certificates (its signature specification, §
 * Certificate requirements). Parsing and signatures are those of the libraries.
 */
import { X509Certificate as NodeCertificate } from 'node:crypto';
import { X509Certificate } from '@sigstore/core';
import { quote, Refusal } from '../reasons.ts';
import { isCostly } from '../verifying/costly-key.ts';
import { unknownCriticalExtension } from '../verifying/extensions.ts';

/** One certificate, as both libraries read it. */
export interface ChainCertificate {
  readonly der: Buffer;
  readonly fields: X509Certificate;
  readonly node: NodeCertificate;
}

/** @throws Refusal for a key that is too costly, and errors of the libraries */
export function readCertificate(bytes: Buffer): ChainCertificate {
  const der = Buffer.from(bytes);
  // The quicker one first: it refuses what is none.
  const node = new NodeCertificate(der);
  if (isCostly(node.publicKey)) throw new Refusal('CERTIFICATE_UNFIT', { extension: 'key' });
  return { der, fields: X509Certificate.parse(der), node };
}

/** As people read it. */
export function subjectOf({ node }: ChainCertificate): string {
  return quote(node.subject.replaceAll('\n', ', '));
}

export function isSelfSigned(certificate: ChainCertificate): boolean {
  return isIssuedBy(certificate, certificate);
}

export function isIssuedBy(certificate: ChainCertificate, issuer: ChainCertificate): boolean {
  return (
    certificate.fields.issuer.equals(issuer.fields.subject) &&
    certificate.node.verify(issuer.node.publicKey)
  );
}

/** From the signer's to the root's, without a detour. @throws Refusal */
export function assertCodeSigningChain(chain: readonly ChainCertificate[]): void {
  // From the root down, so that no key is used before it is vouched for.
  for (const [at, certificate] of [...chain.entries()].toReversed()) {
    assertStrong(certificate);
    const issuer = chain[at + 1] ?? certificate;
    if (!isIssuedBy(certificate, issuer)) throw new Refusal('CERTIFICATE_UNTRUSTED');
    const isLast = at === chain.length - 1;
    if (!isLast && isSelfSigned(certificate)) throw new Refusal('CERTIFICATE_UNTRUSTED');
    if (at === 0) assertSigner(certificate);
    else assertAuthority(certificate, at - 1);
  }
}

/** SHA-2 with RSA, RSASSA-PSS, ECDSA; Ed25519. */
const SIGNATURES =
  /^1\.2\.840\.113549\.1\.1\.(?:1[0-3])$|^1\.2\.840\.10045\.4\.3\.[234]$|^1\.3\.101\.112$/;

function assertStrong({ node, fields }: ChainCertificate): void {
  const { signatureAlgorithmOid } = node;
  if (!SIGNATURES.test(signatureAlgorithmOid)) {
    throw new Refusal('CERTIFICATE_UNFIT', { extension: signatureAlgorithmOid });
  }
  const extension = unknownCriticalExtension(fields);
  if (extension) throw new Refusal('CERTIFICATE_UNFIT', { extension });
}

const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
/** Any; servers, clients, mail, timestamps, OCSP. */
const OTHER_USES = ['2.5.29.37.0', ...[1, 2, 4, 8, 9].map((number) => `1.3.6.1.5.5.7.3.${number}`)];

/** Bits of the usage: signatures are the first one, contents of them the second one. */
const DIGITAL_SIGNATURE = 0;
const CERTIFICATE_SIGNING = 5;
const ALLOWED_WITH_SIGNATURE = 2;

function assertSigner(certificate: ChainCertificate): void {
  const bits = usageOf(certificate);
  const others = bits.slice(ALLOWED_WITH_SIGNATURE).some((bit) => bit === 1);
  if (bits[DIGITAL_SIGNATURE] !== 1 || others) unfit(KEY_USAGE);
  if (certificate.fields.extBasicConstraints?.isCA) unfit(BASIC_CONSTRAINTS);
  const uses = certificate.node.keyUsage ?? [];
  const isFit = uses.length === 0 || uses.includes(CODE_SIGNING);
  if (!isFit || uses.some((use) => OTHER_USES.includes(use))) unfit(EXTENDED_KEY_USAGE);
}

/** @param below How many authorities are between it and the signer. */
function assertAuthority(certificate: ChainCertificate, below: number): void {
  if (usageOf(certificate)[CERTIFICATE_SIGNING] !== 1) unfit(KEY_USAGE);
  const constraints = certificate.fields.extBasicConstraints;
  const length = constraints?.pathLenConstraint;
  const isWithin = length === undefined || length >= BigInt(below);
  if (!constraints?.isCA || !isWithin) unfit(BASIC_CONSTRAINTS);
}

function usageOf({ fields }: ChainCertificate): number[] {
  const extension = fields.extension(KEY_USAGE);
  if (!extension?.critical) unfit(KEY_USAGE);
  return extension?.valueObj.subs[0]?.toBitString() ?? [];
}

function unfit(extension: string): never {
  throw new Refusal('CERTIFICATE_UNFIT', { extension });
}
