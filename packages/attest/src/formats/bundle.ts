/** Bundles of Sigstore, versions 0.1 to 0.3. */

import type { Digest } from '@portcullis/oci';
import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { LIMITS } from '../limits.ts';
import { quote, Refusal } from '../reasons.ts';
import type { SigstoreContent } from './content.ts';
import { readEnvelope } from './envelope.ts';
import { readObject } from './json.ts';

const TYPES = new Set([
  'application/vnd.dev.sigstore.bundle+json;version=0.1',
  'application/vnd.dev.sigstore.bundle+json;version=0.2',
  'application/vnd.dev.sigstore.bundle+json;version=0.3',
  'application/vnd.dev.sigstore.bundle.v0.3+json',
]);
const MEMBERS = ['mediaType', 'verificationMaterial', 'messageSignature', 'dsseEnvelope'];

/** @throws Refusal */
export async function readBundle(bytes: Uint8Array, digest: Digest): Promise<SigstoreContent> {
  const document = await readObject(bytes, MEMBERS, 'FORMAT_INVALID');
  const { mediaType } = document;
  if (typeof mediaType !== 'string' || !TYPES.has(mediaType)) {
    throw new Refusal('FORMAT_UNKNOWN', { type: quote(String(mediaType)) });
  }
  const bundle = parse(document);
  assertBounded(bundle);
  // A signature of bare bytes says nothing of images; cosign refuses it as well.
  if (bundle.content.$case !== 'dsseEnvelope') {
    throw new Refusal('PAYLOAD_TYPE_UNKNOWN', { type: bundle.content.$case });
  }
  return readEnvelope(bundle.content.dsseEnvelope, bundle, digest);
}

function parse(document: object): Bundle {
  try {
    return bundleFromJSON(document);
  } catch (cause) {
    throw new Refusal('FORMAT_INVALID', {}, { cause });
  }
}

const INTEGER = /^\d{1,19}$/;

/** Each part costs time to verify, and the parts of a genuine bundle are few and small. */
export function assertBounded({ verificationMaterial }: Bundle): void {
  const { tlogEntries, timestampVerificationData, content } = verificationMaterial;
  const timestamps = timestampVerificationData?.rfc3161Timestamps ?? [];
  if (tlogEntries.length > LIMITS.witnesses || timestamps.length > LIMITS.witnesses) {
    throw new Refusal('WITNESSES_TOO_MANY', { most: LIMITS.witnesses });
  }
  const isFitting =
    tlogEntries.every(isBounded) &&
    timestamps.every(({ signedTimestamp }) => signedTimestamp.length <= LIMITS.timestampBytes) &&
    certificatesOf(content).every((bytes) => bytes.length <= LIMITS.certificateBytes);
  if (!isFitting) throw new Refusal('FORMAT_INVALID');
}

type Material = Bundle['verificationMaterial'];

function isBounded(entry: Material['tlogEntries'][number]): boolean {
  const { inclusionProof, canonicalizedBody, integratedTime, logIndex } = entry;
  const numbers = [integratedTime, logIndex];
  if (inclusionProof) numbers.push(inclusionProof.logIndex, inclusionProof.treeSize);
  return (
    canonicalizedBody.length <= LIMITS.logEntryBytes &&
    numbers.every((number) => INTEGER.test(number)) &&
    (inclusionProof?.hashes.length ?? 0) <= 64 &&
    (inclusionProof?.checkpoint?.envelope.length ?? 0) <= LIMITS.checkpointBytes
  );
}

function certificatesOf(content: Material['content']): readonly Buffer[] {
  switch (content.$case) {
    case 'certificate':
      return [content.certificate.rawBytes];
    case 'x509CertificateChain':
      return content.x509CertificateChain.certificates.map(({ rawBytes }) => rawBytes);
    case 'publicKey':
      return [];
  }
}
