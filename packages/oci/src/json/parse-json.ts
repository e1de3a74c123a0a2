/** Parses whole JSON documents. None of them holds the event loop, however long it is. */
import { type JsonLimits, readJson } from './json-reader.ts';
import { inSlices } from './slices.ts';

export const JSON_LIMITS: JsonLimits = { maxDepth: 32, maxMembers: 2_000, maxValues: 64_000 };

/**
 * For documents that others read as well: rejects what they could read differently.
 *
 * @throws invalid `JSON_INVALID`: not JSON in UTF-8, ambiguous, or beyond the limits
 */
export function parseStrictJson(
  bytes: Uint8Array,
  limits: JsonLimits = JSON_LIMITS,
): Promise<unknown> {
  return inSlices(readJson(bytes, limits));
}

/** Go's `encoding/json` reads no deeper, and neither do registries. */
const LENIENT: JsonLimits = {
  maxDepth: 10_000,
  maxMembers: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
  isLenient: true,
};

/**
 * As `JSON.parse` reads the text.
 *
 * @throws invalid `JSON_INVALID`
 */
export function parseJson(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): Promise<unknown> {
  return inSlices(readJson(bytes, { ...LENIENT, ...limits }));
}
