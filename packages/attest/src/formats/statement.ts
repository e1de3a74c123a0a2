/** In-toto statements: what attestations say, and about what. */
import type { Digest } from '@portcullis/oci';
import { LIMITS } from '../limits.ts';
import { quote, Refusal } from '../reasons.ts';
import { objectOf, readObject } from './json.ts';

export const STATEMENT_PAYLOAD = 'application/vnd.in-toto+json';
const STATEMENTS: readonly unknown[] = [
  'https://in-toto.io/Statement/v0.1',
  'https://in-toto.io/Statement/v1',
];
/** cosign 3 signs an image with a statement that has no more to say than that. */
export const PLAIN_SIGNATURE = 'https://sigstore.dev/cosign/sign/v1';
/** The annotation beside a bundle that names the type of its predicate. */
export const PREDICATE_ANNOTATION = 'dev.sigstore.bundle.predicateType';
const CODE = 'PAYLOAD_INVALID';

/**
 * @returns the type of the predicate; null for a plain signature
 * @throws Refusal unless the statement is about this digest
 */
export async function predicateTypeOf(payload: Uint8Array, digest: Digest): Promise<string | null> {
  const names = ['_type', 'subject', 'predicateType', 'predicate'];
  const { _type, subject, predicateType } = await readObject(payload, names, CODE);
  if (!STATEMENTS.includes(_type) || !Array.isArray(subject)) throw new Refusal(CODE);
  if (typeof predicateType !== 'string' || predicateType === '') throw new Refusal(CODE);
  if (subject.length > LIMITS.subjects) throw new Refusal(CODE);
  const digests = subject.flatMap(digestsOf);
  if (!digests.includes(digest)) {
    throw new Refusal('DIGEST_DIFFERS', { signed: quote(digests[0] ?? '') });
  }
  return predicateType === PLAIN_SIGNATURE ? null : quote(predicateType);
}

function digestsOf(subject: unknown): string[] {
  const { digest } = objectOf(subject, ['name', 'digest'], CODE);
  return Object.entries(objectOf(digest, ['sha256', 'sha512'], CODE)).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}:${value}`] : [],
  );
}
