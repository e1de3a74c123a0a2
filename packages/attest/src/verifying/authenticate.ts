/** Who signed, by a trust root: certificate, logs, timestamps and signature, without a network. */
import { X509Certificate as NodeCertificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SignatureReason } from '@portcullis/domain';
import type { Bundle } from '@sigstore/bundle';
import { EXTENSION_OID_SCT, X509Certificate } from '@sigstore/core';
import { toSignedEntity, VerificationError, Verifier } from '@sigstore/verify';
import type { ClaimName } from '../authority/authority.ts';
import type { SigstoreContent } from '../formats/content.ts';
import { Refusal } from '../reasons.ts';
import { type OpenedRoot, timestampSigner } from '../roots/root.ts';
import { isCostly } from './costly-key.ts';
import { claimsOf, issuerOf, subjectOf, unknownCriticalExtension } from './extensions.ts';
import type { SigningTime } from './fact.ts';
import { assertEntryOf } from './log-entry.ts';

/** A signer whose certificate, time and signature are genuine. */
export interface AuthenticSigner {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Partial<Record<ClaimName, string>>;
  readonly time: SigningTime;
  readonly log: string | null;
}

type Material = Bundle['verificationMaterial'];

/** @throws Refusal */
export function authenticate(
  root: OpenedRoot,
  { bundle, signed }: SigstoreContent,
): AuthenticSigner {
  const der = certificateOf(bundle.verificationMaterial);
  const node = new NodeCertificate(der);
  const certificate = X509Certificate.parse(der);
  assertFit(certificate, node, root);
  const { tlogEntries } = bundle.verificationMaterial;
  assertEntries(tlogEntries, der, root);
  const times = timesOf(bundle, root);
  verify(root, bundle, { signed, times, certificate });
  const issuer = issuerOf(certificate);
  const subject = subjectOf(certificate);
  if (issuer === undefined || subject === undefined) throw new Refusal('CERTIFICATE_INVALID');
  const [time] = times.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  if (!time) throw new Refusal('TIMESTAMP_MISSING');
  const log = logOf(tlogEntries[0], root);
  return { issuer, subject, claims: claimsOf(certificate), time, log };
}

function certificateOf({ content }: Material): Buffer<ArrayBuffer> {
  const bytes =
    content.$case === 'certificate'
      ? content.certificate.rawBytes
      : content.$case === 'x509CertificateChain' &&
        content.x509CertificateChain.certificates[0]?.rawBytes;
  if (!bytes) throw new Refusal('CERTIFICATE_MISSING');
  return Buffer.from(bytes);
}

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';

function assertFit(
  certificate: X509Certificate,
  node: NodeCertificate,
  { material }: OpenedRoot,
): void {
  const extension = unknownCriticalExtension(certificate);
  if (extension) throw new Refusal('CERTIFICATE_UNFIT', { extension });
  if (isCostly(node.publicKey)) throw new Refusal('CERTIFICATE_UNFIT', { extension: 'key' });
  if (!node.keyUsage?.includes(CODE_SIGNING)) {
    throw new Refusal('CERTIFICATE_UNFIT', { extension: '2.5.29.37' });
  }
  if (material.ctlogs.length > 0 && !certificate.extension(EXTENSION_OID_SCT)) {
    throw new Refusal('SCT_MISSING');
  }
}

/** A root without logs, as of a private instance, relies on its timestamp authority alone. */
function assertEntries(entries: Material['tlogEntries'], der: Buffer, { material }: OpenedRoot) {
  if (entries.length === 0 && material.tlogs.length > 0) throw new Refusal('LOG_ENTRY_MISSING');
  const isRepeated = entries.some((entry, at) =>
    entries.slice(at + 1).some((other) => isDeepStrictEqual(entry, other)),
  );
  if (isRepeated) throw new Refusal('LOG_ENTRY_REPEATED');
  for (const entry of entries) assertEntryOf(entry, der);
}

/** What is verified next. A log's time counts only where the log signed it. */
function timesOf(bundle: Bundle, root: OpenedRoot): readonly SigningTime[] {
  try {
    return toSignedEntity(bundle).timestamps.flatMap((each) => signingTimes(each, root));
  } catch (cause) {
    throw new Refusal('TIMESTAMP_INVALID', {}, { cause });
  }
}

type Timestamp = ReturnType<typeof toSignedEntity>['timestamps'][number];

function signingTimes(witness: Timestamp, root: OpenedRoot): SigningTime[] {
  if (witness.$case === 'timestamp-authority') {
    const { signingTime: at, signerIssuer, signerSerialNumber } = witness.timestamp;
    const by = root.timestamps.get(timestampSigner(signerIssuer, signerSerialNumber)) ?? '';
    return [{ at, source: 'TIMESTAMP', by }];
  }
  const { integratedTime, inclusionPromise } = witness.tlogEntry;
  const at = new Date(Number(integratedTime) * 1000);
  const by = logOf(witness.tlogEntry, root) ?? '';
  return inclusionPromise ? [{ at, source: 'LOG', by }] : [];
}

function logOf(entry: Material['tlogEntries'][number] | undefined, root: OpenedRoot) {
  return root.logs.get(entry?.logId.keyId.toString('hex') ?? '') ?? null;
}

interface Signed {
  readonly signed: Buffer;
  readonly times: readonly SigningTime[];
  readonly certificate: X509Certificate;
}

function verify({ material }: OpenedRoot, bundle: Bundle, signed: Signed): void {
  if (signed.times.length === 0) throw new Refusal('TIMESTAMP_MISSING');
  const verifier = new Verifier(material, {
    tlogThreshold: Math.min(1, material.tlogs.length),
    ctlogThreshold: Math.min(1, material.ctlogs.length),
    timestampThreshold: 1,
  });
  try {
    verifier.verify(toSignedEntity(bundle, signed.signed));
  } catch (cause) {
    throw new Refusal(codeOf(cause, signed), {}, { cause });
  }
}

const CODES: Record<string, SignatureReason> = {
  TIMESTAMP_ERROR: 'TIMESTAMP_INVALID',
  TLOG_BODY_ERROR: 'LOG_ENTRY_DIFFERS',
  TLOG_ERROR: 'LOG_ENTRY_INVALID',
  TLOG_INCLUSION_PROOF_ERROR: 'LOG_ENTRY_INVALID',
  TLOG_INCLUSION_PROMISE_ERROR: 'LOG_ENTRY_INVALID',
  TLOG_MISSING_INCLUSION_ERROR: 'LOG_ENTRY_INVALID',
  SIGNATURE_ERROR: 'SIGNATURE_INVALID',
};

function codeOf(error: unknown, { times, certificate }: Signed): SignatureReason {
  if (!(error instanceof VerificationError)) return 'CERTIFICATE_INVALID';
  if (error.code !== 'CERTIFICATE_ERROR') return CODES[error.code] ?? 'SIGNATURE_INVALID';
  const isInTime = times.every(({ at }) => certificate.validForDate(at));
  return isInTime ? 'CERTIFICATE_UNTRUSTED' : 'CERTIFICATE_OUT_OF_DATE';
}
