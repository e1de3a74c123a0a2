/** Timestamps of RFC 3161 over a signature, by an authority of a trust store. */
import { ASN1Obj, RFC3161Timestamp } from '@sigstore/core';
import { type TrustMaterial, Verifier } from '@sigstore/verify';
import { LIMITS } from '../limits.ts';
import { Refusal } from '../reasons.ts';
import type { SigningTime } from '../verifying/fact.ts';
import { type ChainCertificate, isIssuedBy, readCertificate, subjectOf } from './chain.ts';

const TIMESTAMPING = '1.3.6.1.5.5.7.3.8';

/** @throws Refusal */
export function verifyCountersignature(
  token: Buffer,
  signature: Buffer,
  store: readonly ChainCertificate[],
): SigningTime {
  if (token.length > LIMITS.timestampBytes) throw new Refusal('TIMESTAMP_INVALID');
  try {
    const content = ASN1Obj.parseBuffer(Buffer.from(token));
    const timestamp = responseOf(content);
    const path = pathOf(timestamp, certificatesIn(content), store);
    verify(timestamp, signature, path);
    const by = path[0] ? subjectOf(path[0]) : '';
    return { at: timestamp.signingTime, source: 'TIMESTAMP', by };
  } catch (cause) {
    throw new Refusal('TIMESTAMP_INVALID', {}, { cause });
  }
}

/** The status `granted`, as a response begins with it; envelopes have the token alone. */
const GRANTED = ASN1Obj.parseBuffer(Buffer.from([0x30, 3, 2, 1, 0]));

function responseOf(token: ASN1Obj): RFC3161Timestamp {
  return new RFC3161Timestamp(new ASN1Obj(token.tag, Buffer.alloc(0), [GRANTED, token]));
}

/**
 * From the one that signed the time to one of the store; the library verifies it. Two authorities
 * may have one name, while a new key follows the one before.
 */
function pathOf(
  { signerIssuer, signerSerialNumber }: RFC3161Timestamp,
  enclosed: readonly ChainCertificate[],
  store: readonly ChainCertificate[],
): readonly ChainCertificate[] {
  const signer = enclosed.find(
    ({ fields }) =>
      fields.issuer.equals(signerIssuer) && fields.serialNumber.equals(signerSerialNumber),
  );
  if (!signer?.node.keyUsage?.includes(TIMESTAMPING)) throw new Refusal('TIMESTAMP_INVALID');
  const path = [signer];
  while (path.length <= LIMITS.chain) {
    const last = path.at(-1) ?? signer;
    const isNext = (issuer: ChainCertificate) => isIssuedBy(last, issuer);
    const root = store.find(isNext);
    if (root) return [...path, root];
    const next = enclosed.find((each) => isNext(each) && !path.includes(each));
    if (!next) break;
    path.push(next);
  }
  throw new Refusal('TIMESTAMP_INVALID');
}

/** In the signed data of the token, certificates are the first part with the tag 0. */
function certificatesIn(token: ASN1Obj): ChainCertificate[] {
  const signedData = token.subs[1]?.subs[0];
  const certificates = signedData?.subs.find(({ tag }) => tag.isContextSpecific(0))?.subs ?? [];
  if (certificates.length > LIMITS.chain) throw new Refusal('TIMESTAMP_INVALID');
  return certificates.map((each) => readCertificate(each.toDER()));
}

const ALWAYS = { start: new Date(0), end: new Date(8_640_000_000_000_000) };

function verify(
  timestamp: RFC3161Timestamp,
  signature: Buffer,
  path: readonly ChainCertificate[],
): void {
  const certChain = path.map(({ fields }) => fields);
  const material: TrustMaterial = {
    certificateAuthorities: [],
    timestampAuthorities: [{ certChain, validFor: ALWAYS }],
    tlogs: [],
    ctlogs: [],
    publicKey: () => ({ publicKey: path[0]?.node.publicKey ?? never(), validFor: () => true }),
  };
  const verifier = new Verifier(material, { tlogThreshold: 0, ctlogThreshold: 0 });
  verifier.verify({
    signature: {
      signature,
      // The signature itself was verified before; here only the time is asked for.
      verifySignature: () => true,
      compareSignature: () => false,
      compareDigest: () => false,
      compareSignedDigest: () => false,
    },
    key: { $case: 'public-key', hint: '' },
    timestamps: [{ $case: 'timestamp-authority', timestamp }],
    tlogEntries: [],
  });
}

function never(): never {
  throw new Refusal('TIMESTAMP_INVALID');
}
