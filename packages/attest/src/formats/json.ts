/** JSON that strangers wrote: what two parsers would read differently is refused. */
import type { SignatureReason } from '@portcullis/domain';
import { misspelled, parseStrictJson } from '@portcullis/oci';
import { Refusal } from '../reasons.ts';

/** A list of a thousand packages has this many values. */
const LIMITS = { maxDepth: 64, maxMembers: 100_000, maxValues: 1_000_000 };

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * @param names The members that are read; one in other letters is refused, because Go takes it for
 * them. @throws Refusal with `code`
 */
export async function readObject(
  bytes: Uint8Array,
  names: readonly string[],
  code: SignatureReason,
): Promise<JsonObject> {
  const value = await parseStrictJson(bytes, LIMITS).catch((cause: unknown) => {
    throw new Refusal(code, {}, { cause });
  });
  return objectOf(value, names, code);
}

export function objectOf(
  value: unknown,
  names: readonly string[],
  code: SignatureReason,
): JsonObject {
  if (!isObject(value)) throw new Refusal(code);
  const twin = misspelled(value, new Set(names));
  if (twin !== undefined) throw new Refusal(code);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown, code: SignatureReason): string {
  if (typeof value === 'string') return value;
  throw new Refusal(code);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @throws Refusal with `code` for what isn't base64 of at least one byte */
export function bytesOf(value: unknown, code: SignatureReason): Buffer {
  const text = textOf(value, code);
  if (text === '' || text.length % 4 !== 0 || !BASE64.test(text)) throw new Refusal(code);
  return Buffer.from(text, 'base64');
}
