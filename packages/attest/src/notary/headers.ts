/**
 * The signed headers of both envelopes (signature specification of the Notary Project):
 * what is critical has to be understood, and what constrains a signature has to be critical.
 */
import { quote, Refusal } from '../reasons.ts';
import { ALGORITHMS, type NotaryContent, type SigningScheme } from './content.ts';

export const PREFIX = 'io.cncf.notary.';
const SCHEME = `${PREFIX}signingScheme`;
const SIGNED_AT = `${PREFIX}signingTime`;
const AUTHENTIC_AT = `${PREFIX}authenticSigningTime`;
const EXPIRES_AT = `${PREFIX}expiry`;
/** A program that verifies in our place, which there is none of; it need not be critical. */
const PLUGIN = `${PREFIX}verificationPlugin`;
const PAYLOAD = 'application/vnd.cncf.notary.payload.v1+json';

export const HEADERS = ['alg', 'cty', 'crit', SCHEME, SIGNED_AT, AUTHENTIC_AT, EXPIRES_AT, PLUGIN];

const TIME_OF: Record<SigningScheme, { own: string; other: string }> = {
  'notary.x509': { own: SIGNED_AT, other: AUTHENTIC_AT },
  'notary.x509.signingAuthority': { own: AUTHENTIC_AT, other: SIGNED_AT },
};

/** SignedHeaders by their names in JWS; times are dates. */
export type SignedHeaders = ReadonlyMap<string, unknown>;

type Read = Pick<NotaryContent, 'algorithm' | 'scheme' | 'signedAt' | 'expiresAt'>;

/** @throws Refusal */
export function readHeaders(headers: SignedHeaders): Read {
  const scheme = schemeOf(headers);
  const { own, other } = TIME_OF[scheme];
  assertCritical(headers, own === AUTHENTIC_AT);
  if (headers.get('cty') !== PAYLOAD) {
    throw new Refusal('PAYLOAD_TYPE_UNKNOWN', { type: quote(String(headers.get('cty'))) });
  }
  if (headers.has(other)) throw new Refusal('HEADER_INVALID', { header: other });
  const signedAt = timeIn(headers, own);
  const expiresAt = headers.has(EXPIRES_AT) ? timeIn(headers, EXPIRES_AT) : null;
  if (expiresAt && expiresAt <= signedAt) {
    throw new Refusal('HEADER_INVALID', { header: EXPIRES_AT });
  }
  return { algorithm: algorithmOf(headers), scheme, signedAt, expiresAt };
}

function schemeOf(headers: SignedHeaders): SigningScheme {
  const scheme = headers.get(SCHEME);
  if (scheme === 'notary.x509' || scheme === 'notary.x509.signingAuthority') return scheme;
  throw new Refusal('SIGNING_SCHEME_UNKNOWN', { scheme: quote(String(scheme)) });
}

function assertCritical(headers: SignedHeaders, isAuthentic: boolean): void {
  const listed = headers.get('crit');
  if (!Array.isArray(listed) || new Set(listed).size !== listed.length) {
    throw new Refusal('HEADER_INVALID', { header: 'crit' });
  }
  const needed = [SCHEME, ...(isAuthentic ? [AUTHENTIC_AT] : [])];
  if (headers.has(EXPIRES_AT)) needed.push(EXPIRES_AT);
  const unknown = headers.has(PLUGIN) ? PLUGIN : listed.find((name) => !needed.includes(name));
  if (unknown !== undefined) {
    throw new Refusal('CRITICAL_HEADER_UNKNOWN', { header: quote(String(unknown)) });
  }
  const missing = needed.find((name) => !listed.includes(name));
  if (missing !== undefined) throw new Refusal('HEADER_INVALID', { header: missing });
}

function timeIn(headers: SignedHeaders, name: string): Date {
  const time = headers.get(name);
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time;
  throw new Refusal('HEADER_INVALID', { header: name });
}

function algorithmOf(headers: SignedHeaders): NotaryContent['algorithm'] {
  const name = headers.get('alg');
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (!algorithm) throw new Refusal('ALGORITHM_UNKNOWN', { algorithm: quote(String(name)) });
  return algorithm;
}

/** Texts of RFC 3339, as JWS has them. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function datesIn(headers: Readonly<Record<string, unknown>>): SignedHeaders {
  return new Map(
    Object.entries(headers).map(([name, value]) => {
      const isTime = name === SIGNED_AT || name === AUTHENTIC_AT || name === EXPIRES_AT;
      return [
        name,
        isTime && typeof value === 'string' && TIME.test(value) ? new Date(value) : value,
      ];
    }),
  );
}
