/** Signatures in COSE (RFC 9052), as the Notary Project writes them. */
import type { Descriptor } from '@portcullis/oci';
import { type DecodeOptions, decode, encode } from 'cborg';
import { Refusal } from '../reasons.ts';
import { boundedChain } from './bounded-chain.ts';
import type { NotaryContent } from './content.ts';
import { PREFIX, readHeaders, type SignedHeaders } from './headers.ts';
import { assertTarget } from './payload.ts';

const CODE = 'FORMAT_INVALID';
const SIGN1 = 18;
const EPOCH = 1;
const X5CHAIN = 33;
const TIMESTAMP = `${PREFIX}timestampSignature`;

/** Names in JWS of the numbers in COSE. */
const NAMES = new Map<unknown, string>([
  [1, 'alg'],
  [2, 'crit'],
  [3, 'cty'],
]);
const ALGORITHMS = new Map<unknown, string>([
  [-37, 'PS256'],
  [-38, 'PS384'],
  [-39, 'PS512'],
  [-7, 'ES256'],
  [-35, 'ES384'],
  [-36, 'ES512'],
]);

/** @throws Refusal */
export async function readCose(bytes: Uint8Array, subject: Descriptor): Promise<NotaryContent> {
  const [signedHeaders, unsigned, payload, signature] = partsOf(bytes);
  const headers = readHeaders(namedHeaders(decoded(signedHeaders)));
  await assertTarget(payload, subject);
  const chain = unsigned.get(X5CHAIN);
  const certificates = chain instanceof Uint8Array ? [chain] : chain;
  const timestamp = unsigned.get(TIMESTAMP);
  return {
    kind: 'notary',
    ...headers,
    signed: Buffer.from(encode(['Signature1', signedHeaders, new Uint8Array(), payload])),
    signature: Buffer.from(signature),
    chain: boundedChain(Array.isArray(certificates) ? certificates.map(bufferOf) : []),
    timestamp: timestamp === undefined ? null : bufferOf(timestamp),
    predicateType: null,
  };
}

type Parts = [Uint8Array, ReadonlyMap<unknown, unknown>, Uint8Array, Uint8Array];

function partsOf(bytes: Uint8Array): Parts {
  const message = decoded(bytes);
  const [signedHeaders, unsigned, payload, signature, ...more] =
    message instanceof Tagged && Array.isArray(message.value) ? message.value : [];
  const isWhole =
    more.length === 0 &&
    unsigned instanceof Map &&
    [signedHeaders, payload, signature].every((part) => part instanceof Uint8Array);
  if (!isWhole) throw new Refusal(CODE);
  return [signedHeaders, unsigned, payload, signature];
}

class Tagged {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

const OPTIONS: DecodeOptions = {
  useMaps: true,
  rejectDuplicateMapKeys: true,
  tags: {
    [SIGN1]: (content) => new Tagged(content()),
    [EPOCH]: (content) => new Date(Number(content()) * 1000),
  },
};

function decoded(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, OPTIONS);
  } catch (cause) {
    throw new Refusal(CODE, {}, { cause });
  }
}

function namedHeaders(headers: unknown): SignedHeaders {
  if (!(headers instanceof Map)) throw new Refusal(CODE);
  const named = new Map([...headers].map(([label, value]) => [NAMES.get(label) ?? label, value]));
  // A name in place of its number would be a second header of that name.
  if (named.size !== headers.size) throw new Refusal(CODE);
  const algorithm = named.get('alg');
  return named.set('alg', ALGORITHMS.get(algorithm) ?? String(algorithm));
}

function bufferOf(value: unknown): Buffer {
  if (value instanceof Uint8Array && value.length > 0) return Buffer.from(value);
  throw new Refusal(CODE);
}
