/**
 * Signatures as cosign 1 and 2 store them: a layer for each, with the rest in its annotations. They
 * are read into a bundle, so that one code verifies all.
 */

import { createHash } from 'node:crypto';
import type { Digest } from '@portcullis/oci';
import { type Bundle, envelopeFromJSON } from '@sigstore/bundle';
import { pem } from '@sigstore/core';
import { HashAlgorithm } from '@sigstore/protobuf-specs';
import { pemBlocks } from '../authority/pem.ts';
import { Refusal } from '../reasons.ts';
import { assertBounded } from './bundle.ts';
import type { SigstoreContent } from './content.ts';
import { readEnvelope } from './envelope.ts';
import { bytesOf, objectOf, readObject, textOf } from './json.ts';
import { assertSimpleSigning } from './simple-signing.ts';

export type Annotations = Readonly<Record<string, string>>;

const CODE = 'FORMAT_INVALID';
const SIGNATURE = 'dev.cosignproject.cosign/signature';
const CERTIFICATE = 'dev.sigstore.cosign/certificate';
const LOG_ENTRY = 'dev.sigstore.cosign/bundle';
const TIMESTAMP = 'dev.sigstore.cosign/rfc3161timestamp';

/** A layer of `application/vnd.dev.cosign.simplesigning.v1+json`. @throws Refusal */
export async function readCosignSignature(
  payload: Uint8Array,
  annotations: Annotations,
  digest: Digest,
): Promise<SigstoreContent> {
  await assertSimpleSigning(payload, digest);
  const signed = Buffer.from(payload);
  const signature = bytesOf(annotations[SIGNATURE], CODE);
  const hash = createHash('sha256').update(signed).digest();
  const messageDigest = { algorithm: HashAlgorithm.SHA2_256, digest: hash };
  const bundle = await bundleOf(annotations, {
    $case: 'messageSignature',
    messageSignature: { signature, messageDigest },
  });
  return { kind: 'sigstore', signed, signature, bundle, predicateType: null };
}

/** A layer of `application/vnd.dsse.envelope.v1+json`. @throws Refusal */
export async function readCosignAttestation(
  bytes: Uint8Array,
  annotations: Annotations,
  digest: Digest,
): Promise<SigstoreContent> {
  // The envelope has the signature; cosign writes an empty one here, and reads nothing without it.
  if (annotations[SIGNATURE] === undefined) throw new Refusal(CODE);
  const document = await readObject(bytes, ['payload', 'payloadType', 'signatures'], CODE);
  const dsseEnvelope = parseEnvelope(document);
  const bundle = await bundleOf(annotations, { $case: 'dsseEnvelope', dsseEnvelope });
  return readEnvelope(dsseEnvelope, bundle, digest);
}

function parseEnvelope(document: object): ReturnType<typeof envelopeFromJSON> {
  try {
    return envelopeFromJSON(document);
  } catch (cause) {
    throw new Refusal(CODE, {}, { cause });
  }
}

async function bundleOf(annotations: Annotations, content: Bundle['content']): Promise<Bundle> {
  const { [CERTIFICATE]: certificate, [LOG_ENTRY]: entry, [TIMESTAMP]: timestamp } = annotations;
  const bundle: Bundle = {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
    content,
    verificationMaterial: {
      content: certificate
        ? { $case: 'certificate', certificate: { rawBytes: certificateOf(certificate) } }
        : { $case: 'publicKey', publicKey: { hint: '' } },
      tlogEntries: entry ? [await logEntryOf(entry)] : [],
      timestampVerificationData: {
        rfc3161Timestamps: timestamp ? [{ signedTimestamp: await timestampOf(timestamp) }] : [],
      },
    },
  } as Bundle;
  assertBounded(bundle);
  return bundle;
}

function certificateOf(text: string): Buffer {
  const [block, ...more] = pemBlocks(text) ?? [];
  if (block?.label !== 'CERTIFICATE' || more.length > 0) throw new Refusal(CODE);
  return pem.toDER(block.text);
}

type LogEntry = Bundle['verificationMaterial']['tlogEntries'][number];

/** What the log promised; whether it is true is verified later. */
async function logEntryOf(text: string): Promise<LogEntry> {
  const members = ['SignedEntryTimestamp', 'Payload'];
  const { SignedEntryTimestamp, Payload } = await readObject(Buffer.from(text), members, CODE);
  const names = ['body', 'integratedTime', 'logIndex', 'logID'];
  const { body, integratedTime, logIndex, logID } = objectOf(Payload, names, CODE);
  const canonicalizedBody = bytesOf(body, CODE);
  const kindNames = ['kind', 'apiVersion'];
  const { kind, apiVersion } = await readObject(canonicalizedBody, kindNames, CODE);
  return {
    logIndex: String(logIndex),
    logId: { keyId: Buffer.from(textOf(logID, CODE), 'hex') },
    kindVersion: { kind: textOf(kind, CODE), version: textOf(apiVersion, CODE) },
    integratedTime: String(integratedTime),
    inclusionPromise: { signedEntryTimestamp: bytesOf(SignedEntryTimestamp, CODE) },
    inclusionProof: undefined,
    canonicalizedBody,
  };
}

async function timestampOf(text: string): Promise<Buffer> {
  const document = await readObject(Buffer.from(text), ['SignedRFC3161Timestamp'], CODE);
  return bytesOf(document.SignedRFC3161Timestamp, CODE);
}
