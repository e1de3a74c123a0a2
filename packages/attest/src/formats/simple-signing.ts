/**
 * The payload of cosign's older signatures (Red Hat's simple signing). Its `docker-reference` is
 * not compared: a mirrored image keeps the name of its origin there, and cosign ignores it too.
 */
import type { Digest } from '@portcullis/oci';
import { Refusal } from '../reasons.ts';
import { objectOf, readObject } from './json.ts';

const TYPE = 'cosign container image signature';
const CODE = 'PAYLOAD_INVALID';

/** @throws Refusal unless the payload says that this digest was signed */
export async function assertSimpleSigning(payload: Uint8Array, digest: Digest): Promise<void> {
  const document = await readObject(payload, ['critical', 'optional'], CODE);
  const critical = objectOf(document.critical, ['identity', 'image', 'type'], CODE);
  if (critical.type !== TYPE) throw new Refusal(CODE);
  const image = objectOf(critical.image, ['docker-manifest-digest'], CODE);
  const signed = image['docker-manifest-digest'];
  if (typeof signed !== 'string') throw new Refusal(CODE);
  if (signed !== digest) throw new Refusal('DIGEST_DIFFERS', { signed: signed.slice(0, 80) });
  const unknown = Object.keys(critical).find((name) => !CRITICAL.has(name));
  if (unknown !== undefined) throw new Refusal(CODE);
}

/** The signer of something critical wants it to be understood. */
const CRITICAL = new Set(['identity', 'image', 'type']);
