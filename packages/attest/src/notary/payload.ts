/** The payload of both envelopes: the descriptor of what was signed. */
import type { Descriptor } from '@portcullis/oci';
import { objectOf, readObject } from '../formats/json.ts';
import { quote, Refusal } from '../reasons.ts';

const CODE = 'PAYLOAD_INVALID';

/** @throws Refusal unless it names this manifest */
export async function assertTarget(payload: Uint8Array, subject: Descriptor): Promise<void> {
  const document = await readObject(payload, ['targetArtifact'], CODE);
  const names = ['mediaType', 'digest', 'size', 'annotations'];
  const { mediaType, digest, size } = objectOf(document.targetArtifact, names, CODE);
  if (typeof digest !== 'string') throw new Refusal(CODE);
  if (digest !== subject.digest) throw new Refusal('DIGEST_DIFFERS', { signed: quote(digest) });
  if (mediaType !== subject.mediaType || size !== subject.size) throw new Refusal(CODE);
}
