/** A private Sigstore: certificates, logs and timestamps of @sigstore/mock, without a network. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { dsse } from '@sigstore/core';
import { initializeCA, initializeCTLog, initializeTLog, initializeTSA } from '@sigstore/mock';
import { BUNDLE, type SampleEnvelope, type SampleKey } from './signing.fixture.ts';

export const ISSUER = 'https://token.actions.githubusercontent.com';
export const SUBJECT = 'https://github.com/org/app/.github/workflows/release.yml@refs/tags/v1';
export const LOG_URL = 'https://rekor.example.com';
const FULCIO = '1.3.6.1.4.1.57264.1';
const FROM = new Date(0).toISOString();

interface SigstoreOptions {
  /** The time of its timestamp authority; by default in the middle of its certificates. */
  readonly timestampsAt?: Date;
  readonly withoutSct?: boolean;
}

interface SignerOptions {
  readonly issuer?: string;
  /** The same in the form of older certificates. */
  readonly oldIssuer?: string;
  readonly subject?: string;
  /** Extensions of Fulcio, by their last number. */
  readonly claims?: Readonly<Record<number, string>>;
}

/** A key with its certificate, which is valid for ten minutes. */
export interface SampleSigner extends SampleKey {
  readonly certificate: Buffer;
}

/** An entry as bundles have it, in JSON. */
export interface SampleEntry {
  readonly logIndex: string;
  readonly logId: { readonly keyId: string };
  readonly kindVersion: { readonly kind: string; readonly version: string };
  readonly integratedTime: string;
  readonly inclusionPromise?: { readonly signedEntryTimestamp: string } | undefined;
  readonly inclusionProof?: object;
  readonly canonicalizedBody: string;
}

export type SampleSigstore = Awaited<ReturnType<typeof sampleSigstore>>;

export async function sampleSigstore({ timestampsAt, withoutSct = false }: SigstoreOptions = {}) {
  // The library reads whole seconds, or three digits of a fraction, of which DER leaves out zeros.
  const clock = timestampsAt ?? new Date((Math.ceil(Date.now() / 1000) + 300) * 1000);
  const [caKeys, ctKeys, logKeys, tsaKeys] = [pair(), pair(), pair(), pair()];
  const ctLog = await initializeCTLog(ctKeys);
  const ca = await initializeCA(caKeys, withoutSct ? undefined : ctLog);
  const tsa = await initializeTSA(tsaKeys, clock);
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(LOG_URL, logKeys)],
    ctlogs: [logOf('https://ctfe.example.com', ctKeys)],
    certificateAuthorities: [authorityOf('https://fulcio.example.com', [ca.rootCertificate])],
    timestampAuthorities: [
      authorityOf('https://tsa.example.com', [tsa.intCertificate, tsa.rootCertificate]),
    ],
  };
  return {
    /** A trusted_root.json. */
    root: (change: object = {}) => JSON.stringify({ ...root, ...change }),

    async signer(options: SignerOptions = {}): Promise<SampleSigner> {
      const { issuer = ISSUER, oldIssuer = issuer, subject = SUBJECT, claims = {} } = options;
      const { publicKey, privateKey } = pair();
      const issued = await ca.issueCertificate({
        publicKey: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
        subjectAltName: subject,
        extensions: [
          { oid: `${FULCIO}.1`, value: oldIssuer, legacy: true },
          ...Object.entries({ 8: issuer, ...claims }).map(([number, value]) => ({
            oid: `${FULCIO}.${number}`,
            value,
          })),
        ],
      });
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      return { privateKey, pem, hash: 'sha256', certificate: bufferOf(issued) };
    },

    /** The certificate of its timestamp authority. */
    timestampCertificate: bufferOf(tsa.intCertificate),

    /** The root of its timestamp authority, which has the same keys. */
    timestampRoot: pemOf(bufferOf(tsa.rootCertificate)),
    timestampKeys: tsaKeys,

    /** Logs it, now or at another time. */
    async entry(body: object, at?: Date): Promise<SampleEntry> {
      const log = await initializeTLog(LOG_URL, logKeys, at);
      return entryOf(body, Object.values(await log.log(body))[0]);
    },

    /** A timestamp of the signature, in base64. */
    async timestamp(signature: Buffer): Promise<string> {
      const answer = await tsa.timestamp({
        artifactHash: createHash('sha256').update(signature).digest(),
        hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
        nonce: 1,
        policyOID: '1.2.3.4.5',
        certReq: true,
      });
      return bufferOf(answer).toString('base64');
    },
  };
}

export function certificatePem({ certificate }: SampleSigner): string {
  return pemOf(certificate);
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** What Rekor records of an envelope. */
export function dsseBody(signer: SampleSigner, signed: SampleEnvelope): object {
  const { payload, signatures } = signed;
  const payloadBytes = Buffer.from(payload, 'base64');
  const value = sha256(payloadBytes);
  const verifier = Buffer.from(certificatePem(signer)).toString('base64');
  return {
    apiVersion: '0.0.1',
    kind: 'dsse',
    spec: {
      envelopeHash: { algorithm: 'sha256', value: sha256(JSON.stringify(signed)) },
      payloadHash: { algorithm: 'sha256', value },
      signatures: signatures.map(({ sig }) => ({ signature: sig, verifier })),
    },
  };
}

/** What Rekor 2 records of an envelope: the hash of what was signed, and no time. */
export function rekor2Body({ certificate }: SampleSigner, signed: SampleEnvelope): object {
  const bytes = dsse.preAuthEncoding(signed.payloadType, Buffer.from(signed.payload, 'base64'));
  const digest = createHash('sha256').update(bytes).digest('base64');
  const verifier = {
    keyDetails: 'PKIX_ECDSA_P256_SHA_256',
    x509Certificate: { rawBytes: certificate.toString('base64') },
  };
  return {
    apiVersion: '0.0.2',
    kind: 'hashedrekord',
    spec: {
      hashedRekordV002: {
        data: { algorithm: 'SHA2_256', digest },
        signature: { content: signed.signatures[0]?.sig, verifier },
      },
    },
  };
}

/** An entry as Rekor 2 gives it: a proof alone. */
export function withoutTime(entry: SampleEntry): SampleEntry {
  return { ...entry, inclusionPromise: undefined, integratedTime: '0' };
}

/** What Rekor records of a signature of bytes. */
export function hashedBody(signer: SampleSigner, signed: Buffer, signature: string): object {
  const value = sha256(signed);
  const content = Buffer.from(certificatePem(signer)).toString('base64');
  return {
    apiVersion: '0.0.1',
    kind: 'hashedrekord',
    spec: {
      data: { hash: { algorithm: 'sha256', value } },
      signature: { content: signature, publicKey: { content } },
    },
  };
}

export interface Witnesses {
  readonly entries?: readonly SampleEntry[];
  readonly timestamps?: readonly string[];
}

export function keylessBundle(
  { certificate }: SampleSigner,
  dsseEnvelope: SampleEnvelope,
  { entries = [], timestamps = [] }: Witnesses,
): object {
  return {
    mediaType: BUNDLE,
    verificationMaterial: {
      certificate: { rawBytes: certificate.toString('base64') },
      tlogEntries: entries,
      timestampVerificationData: {
        rfc3161Timestamps: timestamps.map((signedTimestamp) => ({ signedTimestamp })),
      },
    },
    dsseEnvelope,
  };
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

type KeyPair = ReturnType<typeof pair>;

function pair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function bufferOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function logOf(baseUrl: string, { publicKey }: KeyPair): object {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: der.toString('base64'),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor: { start: FROM },
    },
    logId: { keyId: createHash('sha256').update(der).digest('base64') },
  };
}

function authorityOf(uri: string, chain: readonly ArrayBufferView[]): object {
  const certificates = chain.map((each) => ({ rawBytes: bufferOf(each).toString('base64') }));
  return { uri, certChain: { certificates }, validFor: { start: FROM } };
}

type Logged = Awaited<ReturnType<Awaited<ReturnType<typeof initializeTLog>>['log']>>[string];

function entryOf(body: object, logged: Logged | undefined): SampleEntry {
  const { kind, apiVersion } = body as { kind: string; apiVersion: string };
  const { inclusionProof: proof, signedEntryTimestamp } = logged?.verification ?? {};
  return {
    logIndex: String(logged?.logIndex),
    logId: { keyId: Buffer.from(logged?.logID ?? '', 'hex').toString('base64') },
    kindVersion: { kind, version: apiVersion },
    integratedTime: String(logged?.integratedTime),
    inclusionPromise: { signedEntryTimestamp: String(signedEntryTimestamp) },
    inclusionProof: {
      logIndex: String(proof?.logIndex),
      treeSize: String(proof?.treeSize),
      rootHash: Buffer.from(proof?.rootHash ?? '', 'hex').toString('base64'),
      hashes: [],
      checkpoint: { envelope: proof?.checkpoint },
    },
    canonicalizedBody: String(logged?.body),
  };
}
