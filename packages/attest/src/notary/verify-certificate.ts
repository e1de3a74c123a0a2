/** Verifies signatures of the Notary Project by a trust store, as notation does when strict. */
import { constants, type KeyObject, verify } from 'node:crypto';
import type { OpenedCertificates } from '../authority/open-authority.ts';
import { Refusal } from '../reasons.ts';
import type { SigningTime, Verified } from '../verifying/fact.ts';
import {
  assertCodeSigningChain,
  type ChainCertificate,
  readCertificate,
  subjectOf,
} from './chain.ts';
import type { NotaryAlgorithm, NotaryContent } from './content.ts';
import { verifyCountersignature } from './countersignature.ts';
import { isPartOf, subjectName } from './distinguished-name.ts';

/** @throws Refusal */
export function verifyByCertificate(
  authority: OpenedCertificates,
  content: NotaryContent,
  now: Date,
): Verified {
  const chain = readChain(content);
  const [leaf] = chain;
  if (!leaf) throw new Refusal('CERTIFICATE_MISSING');
  // What costs least is asked first, and what costs most of whom the store vouches for.
  assertTrusted(authority, chain, content);
  assertCodeSigningChain(chain);
  assertSignature(leaf, content);
  const subject = assertIdentity(authority, leaf);
  const { expiresAt } = content;
  if (expiresAt && expiresAt < now) {
    throw new Refusal('SIGNATURE_EXPIRED', { at: expiresAt.toISOString() });
  }
  const time = timeOf(authority, chain, content, now);
  const signer = { kind: 'certificate', subject, fingerprint: fingerprintOf(leaf) } as const;
  return { signer, time, log: null, until: time === null ? soonest(chain, expiresAt) : expiresAt };
}

/** Without a vouched time it counts while each certificate is in date. */
function soonest(chain: readonly ChainCertificate[], expiresAt: Date | null): Date {
  const ends = chain.map(({ node }) => node.validToDate);
  return new Date(Math.min(...[...ends, ...(expiresAt ? [expiresAt] : [])].map(Number)));
}

function readChain({ chain }: NotaryContent): ChainCertificate[] {
  try {
    return chain.map(readCertificate);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('CERTIFICATE_INVALID', {}, { cause });
  }
}

function fingerprintOf({ node }: ChainCertificate): string {
  return `sha256:${node.fingerprint256.replaceAll(':', '').toLowerCase()}`;
}

/** The key of the certificate says which algorithm it has to be. */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  const key =
    asymmetricKeyType === 'rsa' ? `rsa ${modulusLength}` : `${asymmetricKeyType} ${namedCurve}`;
  return KEYS[key] ?? key.trim();
}

const KEYS: Record<string, NotaryAlgorithm> = {
  'rsa 2048': 'PS256',
  'rsa 3072': 'PS384',
  'rsa 4096': 'PS512',
  'ec prime256v1': 'ES256',
  'ec secp384r1': 'ES384',
  'ec secp521r1': 'ES512',
};

function assertSignature({ node }: ChainCertificate, content: NotaryContent): void {
  const { algorithm, signed, signature } = content;
  const key = node.publicKey;
  if (algorithmOf(key) !== algorithm) {
    throw new Refusal('ALGORITHM_UNKNOWN', { algorithm: algorithmOf(key) });
  }
  const options = algorithm.startsWith('PS')
    ? {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      }
    : { key, dsaEncoding: 'ieee-p1363' as const };
  const isGenuine = verify(`sha${algorithm.slice(2)}`, signed, options, signature);
  if (!isGenuine) throw new Refusal('SIGNATURE_INVALID');
}

/**
 * Stores are apart: an authority for certificates must not vouch for times, with which a stolen key
 * would sign back into the life of its certificate.
 */
function assertTrusted(
  { stores }: OpenedCertificates,
  chain: readonly ChainCertificate[],
  { scheme }: NotaryContent,
): void {
  const store = stores[scheme];
  const isTrusted = chain.some(({ der }) => store.some((trusted) => trusted.der.equals(der)));
  if (!isTrusted) throw new Refusal('CERTIFICATE_UNTRUSTED');
}

function assertIdentity({ identities }: OpenedCertificates, leaf: ChainCertificate): string {
  const subject = subjectOf(leaf);
  const name = subjectName(leaf.fields);
  const isTrusted = identities.some((each) => name !== null && isPartOf(each, name));
  if (isTrusted || identities.length === 0) return subject;
  throw new Refusal('IDENTITY_DIFFERS', { subject });
}

/** What a timestamp authority may be wrong by, in milliseconds. */
const ACCURACY = 60_000;

function timeOf(
  { timestamps }: OpenedCertificates,
  chain: readonly ChainCertificate[],
  { scheme, signedAt, timestamp, signature }: NotaryContent,
  now: Date,
): SigningTime | null {
  if (scheme === 'notary.x509.signingAuthority') {
    assertInDate(chain, signedAt, 0);
    return { at: signedAt, source: 'SIGNING_AUTHORITY', by: chain[0] ? subjectOf(chain[0]) : '' };
  }
  const isExpired = chain.some(({ node }) => node.validToDate < now);
  if (!isExpired || timestamps.length === 0) {
    assertInDate(chain, now, 0);
    return null;
  }
  if (!timestamp) throw new Refusal('TIMESTAMP_MISSING');
  const time = verifyCountersignature(timestamp, signature, timestamps);
  assertInDate(chain, time.at, ACCURACY);
  return time;
}

function assertInDate(chain: readonly ChainCertificate[], at: Date, margin: number): void {
  const isInDate = chain.every(({ node }) => {
    const { validFromDate, validToDate } = node;
    return (
      validFromDate.getTime() + margin <= at.getTime() &&
      at.getTime() + margin <= validToDate.getTime()
    );
  });
  if (!isInDate) throw new Refusal('CERTIFICATE_OUT_OF_DATE');
}
