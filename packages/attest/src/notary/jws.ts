/** Signatures in JWS (RFC 7515), as the Notary Project writes them. */
import type { Descriptor } from '@portcullis/oci';
import { bytesOf, objectOf, readObject, textOf } from '../formats/json.ts';
import { Refusal } from '../reasons.ts';
import { boundedChain } from './bounded-chain.ts';
import type { NotaryContent } from './content.ts';
import { datesIn, HEADERS, PREFIX, readHeaders } from './headers.ts';
import { assertTarget } from './payload.ts';

const CODE = 'FORMAT_INVALID';
const TIMESTAMP = `${PREFIX}timestampSignature`;

/** @throws Refusal */
export async function readJws(bytes: Uint8Array, subject: Descriptor): Promise<NotaryContent> {
  const envelope = await readObject(bytes, ['payload', 'protected', 'header', 'signature'], CODE);
  const signedHeaders = textOf(envelope.protected, CODE);
  const payload = textOf(envelope.payload, CODE);
  const headers = readHeaders(datesIn(await readObject(urlBytes(signedHeaders), HEADERS, CODE)));
  await assertTarget(urlBytes(payload), subject);
  const { x5c, [TIMESTAMP]: timestamp } = objectOf(envelope.header, ['x5c', TIMESTAMP], CODE);
  return {
    kind: 'notary',
    ...headers,
    signed: Buffer.from(`${signedHeaders}.${payload}`),
    signature: urlBytes(textOf(envelope.signature, CODE)),
    chain: boundedChain(Array.isArray(x5c) ? x5c.map((each) => bytesOf(each, CODE)) : []),
    timestamp: timestamp === undefined ? null : bytesOf(timestamp, CODE),
    predicateType: null,
  };
}

function urlBytes(text: string): Buffer {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new Refusal(CODE);
  return Buffer.from(text, 'base64url');
}
