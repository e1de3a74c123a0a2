/** Signs as cosign does, with keys that the test makes. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Digest } from '@portcullis/oci';
import { dsse } from '@sigstore/core';
import type { LayerInput } from './repository.fixture.ts';

export const SIMPLE_SIGNING = 'application/vnd.dev.cosign.simplesigning.v1+json';
export const DSSE = 'application/vnd.dsse.envelope.v1+json';
export const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const IN_TOTO = 'application/vnd.in-toto+json';
const COSIGN_SIGN = 'https://sigstore.dev/cosign/sign/v1';

export interface SampleKey {
  readonly privateKey: KeyObject;
  readonly pem: string;
  /** The hash of its signatures. */
  readonly hash: string | null;
}

export function sampleKey(kind: 'P-256' | 'P-384' | 'ed25519' | 'rsa' = 'P-256', bits = 2048) {
  const { publicKey, privateKey } = pairOf(kind, bits);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, pem, hash: kind === 'ed25519' ? null : 'sha256' } satisfies SampleKey;
}

function pairOf(kind: string, bits: number) {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: bits });
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: kind });
}

export function signBytes({ privateKey, hash }: SampleKey, bytes: Buffer): Buffer {
  return sign(hash, bytes, privateKey);
}

export function simpleSigning(digest: string, change: object = {}): Buffer {
  const critical = {
    identity: { 'docker-reference': 'registry.example.com/team/app' },
    image: { 'docker-manifest-digest': digest },
    type: 'cosign container image signature',
    ...change,
  };
  return Buffer.from(JSON.stringify({ critical, optional: null }));
}

export function simpleSigningLayer(
  key: SampleKey,
  payload: Buffer,
  annotations: Record<string, string> = {},
): LayerInput {
  const signature = signBytes(key, payload).toString('base64');
  return {
    mediaType: SIMPLE_SIGNING,
    bytes: payload,
    annotations: { 'dev.cosignproject.cosign/signature': signature, ...annotations },
  };
}

export function statement(digest: Digest, change: object = {}): Buffer {
  const [algorithm = '', hex = ''] = digest.split(':');
  return Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'app', digest: { [algorithm]: hex } }],
      predicateType: COSIGN_SIGN,
      predicate: {},
      ...change,
    }),
  );
}

export function envelope(key: SampleKey, payload: Buffer, payloadType = IN_TOTO) {
  const signed = dsse.preAuthEncoding(payloadType, payload);
  return {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ sig: signBytes(key, signed).toString('base64') }],
  };
}

export type SampleEnvelope = ReturnType<typeof envelope>;

/** A bundle of a key, as cosign 3 writes it without a log. */
export function keyBundle(dsseEnvelope: object, change: object = {}): object {
  return {
    mediaType: BUNDLE,
    verificationMaterial: { publicKey: { hint: '' }, tlogEntries: [] },
    dsseEnvelope,
    ...change,
  };
}

export function bundleLayer(bundle: object): LayerInput {
  return { mediaType: BUNDLE, bytes: Buffer.from(JSON.stringify(bundle)) };
}
