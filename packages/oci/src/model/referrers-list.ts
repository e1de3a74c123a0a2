/**
 * Reads a list of referrers. Any client may have written one, and none of its entries is part of
 * the image, so an entry that can't be read does not spoil the others.
 */
import { readJson } from '../json/json-reader.ts';
import { JSON_LIMITS } from '../json/parse-json.ts';
import { inSlices, type Steps } from '../json/slices.ts';
import { invalid, isOciError, type OciError, tooLarge } from '../oci-error.ts';
import type { Descriptor } from './descriptor.ts';
import { DESCRIPTORS_PER_STEP, parseDescriptor, recordOf } from './json.ts';

export interface ReferrersList {
  manifests: Descriptor[];
  /** What could not be read. */
  faults: OciError[];
}

export const MAX_ENTRIES = 10_000;
const VALUES_PER_ENTRY = 64;
const MAX_FAULTS = 10;

/** @throws invalid `REFERRERS_LIST_INVALID` for what is no list at all */
export function readReferrersList(bytes: Uint8Array): Promise<ReferrersList> {
  return inSlices(read(bytes));
}

function* read(bytes: Uint8Array): Steps<ReferrersList> {
  const entries = yield* entriesOf(bytes);
  const faults: OciError[] = [];
  const manifests: Descriptor[] = [];
  for (const [at, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    try {
      manifests.push(parseDescriptor(entry, `manifests[${at}]`));
    } catch (error) {
      if (!isOciError(error)) throw error;
      if (faults.length < MAX_FAULTS) faults.push(error);
    }
    if (at % DESCRIPTORS_PER_STEP === DESCRIPTORS_PER_STEP - 1) yield;
  }
  if (entries.length > MAX_ENTRIES) faults.push(tooLong(entries.length));
  return { manifests, faults };
}

/** Servers written in Go send `null` for an empty list. */
function* entriesOf(bytes: Uint8Array): Steps<unknown[]> {
  const maxValues = VALUES_PER_ENTRY * MAX_ENTRIES;
  try {
    const document = recordOf(yield* readJson(bytes, { ...JSON_LIMITS, maxValues }), 'the list');
    const entries = document.manifests ?? [];
    if (Array.isArray(entries)) return entries;
  } catch (cause) {
    throw notAList(cause);
  }
  throw notAList();
}

function notAList(cause?: unknown): OciError {
  return invalid('REFERRERS_LIST_INVALID', "the list of referrers can't be read", { cause });
}

function tooLong(found: number): OciError {
  return tooLarge(
    'REFERRERS_TOO_MANY',
    `the list has ${found} referrers, of which ${MAX_ENTRIES} are read`,
  );
}
