/** Signs as notation does, with certificates that the test issues. */
import 'reflect-metadata';
import {
  constants,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  sign,
  webcrypto,
} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { Descriptor } from '@portcullis/oci';
import { encode, Tagged } from 'cborg';
import type { LayerInput } from './repository.fixture.ts';

export const NOTARY = 'application/vnd.cncf.notary.signature';
const NOTARY_PAYLOAD = 'application/vnd.cncf.notary.payload.v1+json';
const HOUR = 3_600_000;
const NULL = new Uint8Array([5, 0]);
const { KeyUsageFlags } = x509;

export interface CertificateInput {
  readonly name?: string;
  readonly hours?: readonly [from: number, to: number];
  readonly usage?: number;
  readonly isUsageCritical?: boolean;
  readonly uses?: readonly string[];
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  /** The number of an extension that is critical. */
  readonly critical?: string;
  /** RSA of this length, in place of P-256. */
  readonly rsa?: number;
  readonly exponent?: number;
  readonly curve?: string;
  readonly hash?: string;
  readonly serial?: string;
  /** Known keys of P-256, in place of new ones. */
  readonly keys?: KeyPairKeyObjectResult;
}

export interface IssuedCertificate {
  readonly der: Buffer;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly issue: (input: CertificateInput) => Promise<IssuedCertificate>;
}

/** A root that issued itself. */
export function issueRoot(input: CertificateInput = {}): Promise<IssuedCertificate> {
  const root = { name: 'C=US, ST=WA, O=Example, CN=Root', isAuthority: true, ...input };
  return issueBy(undefined, root);
}

/** With a certificate that is there. */
export async function issueFrom(
  pem: string,
  { privateKey }: KeyPairKeyObjectResult,
  input: CertificateInput,
): Promise<Buffer> {
  const certificate = new x509.X509Certificate(pem);
  return (await issueBy({ certificate, key: await cryptoKey(privateKey, {}) }, input)).der;
}

export const SIGNER = 'C=US, ST=WA, O=Example, CN=Release';

async function issueBy(
  issuer: { certificate: x509.X509Certificate; key: webcrypto.CryptoKey } | undefined,
  input: CertificateInput,
): Promise<IssuedCertificate> {
  const { privateKey, publicKey } = pairOf(input);
  const [key, spki] = [await cryptoKey(privateKey, input), await cryptoKey(publicKey, input)];
  const { isAuthority = false, hours = [-1, 1] } = input;
  const { usage = isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature } =
    input;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: input.serial ?? '01',
    subject: input.name ?? SIGNER,
    issuer: issuer?.certificate.subject ?? input.name ?? SIGNER,
    notBefore: new Date(Date.now() + hours[0] * HOUR),
    notAfter: new Date(Date.now() + hours[1] * HOUR),
    publicKey: spki,
    signingKey: issuer?.key ?? key,
    signingAlgorithm: { name: 'ECDSA', hash: input.hash ?? 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, input.pathLength, true),
      ...(usage ? [new x509.KeyUsagesExtension(usage, input.isUsageCritical ?? true)] : []),
      ...(input.uses ? [new x509.ExtendedKeyUsageExtension([...input.uses])] : []),
      ...(input.critical ? [new x509.Extension(input.critical, true, NULL)] : []),
    ],
  });
  return {
    der: Buffer.from(certificate.rawData),
    pem: `${certificate.toString('pem')}\n`,
    privateKey,
    issue: (child) => issueBy({ certificate, key }, child),
  };
}

function pairOf({
  rsa,
  exponent,
  curve = 'P-256',
  keys,
}: CertificateInput): KeyPairKeyObjectResult {
  if (keys) return keys;
  if (rsa === undefined) return generateKeyPairSync('ec', { namedCurve: curve });
  return generateKeyPairSync('rsa', { modulusLength: rsa, publicExponent: exponent });
}

function cryptoKey(
  key: KeyObject,
  { rsa, curve = 'P-256' }: CertificateInput,
): Promise<webcrypto.CryptoKey> {
  const uses: webcrypto.KeyUsage[] = [key.type === 'private' ? 'sign' : 'verify'];
  const algorithm =
    rsa === undefined
      ? { name: 'ECDSA', namedCurve: curve }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const format = key.type === 'private' ? 'pkcs8' : 'spki';
  const bytes = key.export({ type: format, format: 'der' } as { type: 'spki'; format: 'der' });
  return webcrypto.subtle.importKey(format, bytes, algorithm, true, uses);
}

export interface NotaryInput {
  /** From the signer's to the root's. */
  readonly chain: readonly IssuedCertificate[];
  readonly target: Descriptor;
  readonly alg?: string;
  /** Signed headers by their names in JWS; undefined removes one. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly payload?: object;
  readonly timestamp?: (signature: Buffer) => Promise<Buffer>;
}

const ALGORITHMS: Record<string, number> = {
  PS256: -37,
  PS384: -38,
  PS512: -39,
  ES256: -7,
  ES384: -35,
  ES512: -36,
};

export async function jwsLayer(input: NotaryInput): Promise<LayerInput> {
  const headers = Object.entries(headersOf(input)).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  const protectedText = base64Url(JSON.stringify(Object.fromEntries(headers)));
  const payload = base64Url(JSON.stringify(payloadOf(input)));
  const signature = signAs(input, Buffer.from(`${protectedText}.${payload}`));
  const token = await input.timestamp?.(signature);
  const envelope = {
    payload,
    protected: protectedText,
    header: {
      x5c: input.chain.map(({ der }) => der.toString('base64')),
      ...(token && { 'io.cncf.notary.timestampSignature': token.toString('base64') }),
    },
    signature: signature.toString('base64url'),
  };
  return { mediaType: 'application/jose+json', bytes: Buffer.from(JSON.stringify(envelope)) };
}

export async function coseLayer(input: NotaryInput): Promise<LayerInput> {
  const numbers: Record<string, number> = { alg: 1, crit: 2, cty: 3 };
  const entries = Object.entries(headersOf(input)).map(([name, value]): [unknown, unknown] => {
    if (name === 'alg') return [1, ALGORITHMS[String(value)] ?? value];
    return [numbers[name] ?? name, value instanceof Date ? tagged(value) : value];
  });
  const protectedBytes = encode(new Map(entries));
  const payload = Buffer.from(JSON.stringify(payloadOf(input)));
  const signed = encode(['Signature1', protectedBytes, new Uint8Array(), new Uint8Array(payload)]);
  const signature = signAs(input, Buffer.from(signed));
  const token = await input.timestamp?.(signature);
  const unsigned = new Map<unknown, unknown>([
    [33, input.chain.map(({ der }) => new Uint8Array(der))],
    ...(token ? [['io.cncf.notary.timestampSignature', new Uint8Array(token)] as const] : []),
  ]);
  const parts = [protectedBytes, unsigned, new Uint8Array(payload), new Uint8Array(signature)];
  return { mediaType: 'application/cose', bytes: encode(new Tagged(18, parts)) };
}

function tagged(time: Date): Tagged {
  return new Tagged(1, Math.floor(time.getTime() / 1000));
}

function headersOf({ alg = 'ES256', headers = {} }: NotaryInput): Record<string, unknown> {
  const all: Record<string, unknown> = {
    alg,
    cty: NOTARY_PAYLOAD,
    crit: ['io.cncf.notary.signingScheme'],
    'io.cncf.notary.signingScheme': 'notary.x509',
    'io.cncf.notary.signingTime': new Date(),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function payloadOf({ target, payload }: NotaryInput): object {
  const { mediaType, digest, size } = target;
  return payload ?? { targetArtifact: { mediaType, digest, size } };
}

function signAs({ chain, alg = 'ES256' }: NotaryInput, bytes: Buffer): Buffer {
  const [leaf] = chain;
  if (!leaf) return Buffer.from('none');
  const key = leaf.privateKey;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const options =
    key.asymmetricKeyType === 'rsa'
      ? { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { key, dsaEncoding: 'ieee-p1363' as const };
  return sign(`sha${alg.slice(2)}`, bytes, options);
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
