/** DSSE envelopes (https://github.com/secure-systems-lab/dsse) that hold an in-toto statement. */

import type { Digest } from '@portcullis/oci';
import type { Bundle } from '@sigstore/bundle';
import { dsse } from '@sigstore/core';
import { quote, Refusal } from '../reasons.ts';
import type { SigstoreContent } from './content.ts';
import { predicateTypeOf, STATEMENT_PAYLOAD } from './statement.ts';

type Envelope = Extract<Bundle['content'], { $case: 'dsseEnvelope' }>['dsseEnvelope'];

/** @throws Refusal unless it has one signature over a statement about this digest */
export async function readEnvelope(
  { payload, payloadType, signatures }: Envelope,
  bundle: Bundle,
  digest: Digest,
): Promise<SigstoreContent> {
  const [one, ...more] = signatures;
  // Which of several signers counts would be for each reader to choose.
  if (one === undefined || more.length > 0) throw new Refusal('FORMAT_INVALID');
  if (payloadType !== STATEMENT_PAYLOAD) {
    throw new Refusal('PAYLOAD_TYPE_UNKNOWN', { type: quote(payloadType) });
  }
  const predicateType = await predicateTypeOf(payload, digest);
  const signed = dsse.preAuthEncoding(payloadType, payload);
  return { kind: 'sigstore', signed, signature: one.sig, bundle, predicateType };
}
