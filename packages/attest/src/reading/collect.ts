/** Collects the signatures of a digest from a repository, and parses them. */
import type { AbortOptions, Descriptor, Digest, Source } from '@portcullis/oci';
import { readBundle } from '../formats/bundle.ts';
import type { SignatureContent } from '../formats/content.ts';
import { readCosignAttestation, readCosignSignature } from '../formats/cosign.ts';
import { LIMITS } from '../limits.ts';
import { readCose } from '../notary/cose.ts';
import { readJws } from '../notary/jws.ts';
import { Refusal, reasonOf } from '../reasons.ts';
import { type FoundLayer, findLayers, mayPass, readBounded, readingFault } from './found-layers.ts';
import { inTurns } from './in-turns.ts';
import type { FoundSignature, SignatureFormat } from './signature.ts';

export interface CollectedSignatures {
  readonly signatures: readonly FoundSignature[];
  /** Signatures beyond the limits, which were not read. */
  readonly unread: number;
  /** False where the registry refused to say whether there are more. */
  readonly isComplete: boolean;
}

/**
 * Reads the signatures of one digest. Those of an index count for its platforms as well: a caller
 * that asks about a platform collects for the digest and for each index that lists it.
 *
 * @throws the signal's reason, an OciError that may pass (unavailable, rate_limited), and nothing
 * for what a stranger wrote
 */
export async function collectSignatures(
  repository: Source,
  subject: Digest,
  { signal }: AbortOptions = {},
): Promise<CollectedSignatures> {
  const source = signal ? endedBy(signal, repository) : repository;
  const { lists, unread, isComplete } = await findLayers(source, subject);
  const chosen = choose(distinct(inTurns(lists)));
  const signatures: FoundSignature[] = [];
  for (const found of chosen.read) signatures.push(await readLayer(source, subject, found));
  return { signatures, unread: unread + chosen.left, isComplete };
}

/** Each of its requests ends with the signal. */
function endedBy(signal: AbortSignal, source: Source): Source {
  return {
    resolve: (reference) => source.resolve(reference, { signal }),
    fetch: (descriptor) => source.fetch(descriptor, { signal }),
    referrers: async (digest, options) =>
      (await source.referrers?.(digest, { ...options, signal })) ?? [],
  };
}

function distinct(found: readonly FoundLayer[]): FoundLayer[] {
  return [...new Map(found.map((each) => [identityOf(each), each])).values()];
}

/** Two keys sign the same payload, and their signatures differ in the annotations alone. */
function identityOf({ layer, manifest }: FoundLayer): string {
  return layer ? JSON.stringify([layer.digest, layer.annotations]) : manifest;
}

function choose(found: readonly FoundLayer[]): { read: FoundLayer[]; left: number } {
  const read: FoundLayer[] = [];
  let bytes = 0;
  for (const each of found) {
    const size = each.layer?.size ?? 0;
    const isReadable = size <= LIMITS.signatureBytes;
    if (read.length >= LIMITS.signatures) break;
    if (isReadable && bytes + size > LIMITS.totalBytes) continue;
    bytes += isReadable ? size : 0;
    read.push(each);
  }
  return { read, left: found.length - read.length };
}

async function readLayer(
  source: Source,
  subject: Digest,
  { layout, manifest, layer, format, fault }: FoundLayer,
): Promise<FoundSignature> {
  const origin = { subject, layout, format, manifest, blob: layer?.digest ?? null };
  if (!layer || fault) return { origin, content: null, fault };
  try {
    if (!format) throw new Refusal('FORMAT_UNKNOWN', { type: layer.mediaType.slice(0, 200) });
    const content = await READERS[format]({ source, subject, layer });
    return { origin, content, fault: null };
  } catch (error) {
    if (mayPass(error)) throw error;
    return { origin, content: null, fault: reasonOf(readingFault(error), 'SIGNATURE_UNREADABLE') };
  }
}

interface Reading {
  source: Source;
  subject: Digest;
  layer: Descriptor;
}

const READERS: Record<SignatureFormat, (reading: Reading) => Promise<SignatureContent>> = {
  SIMPLE_SIGNING: async ({ source, subject, layer }) =>
    readCosignSignature(await readBounded(source, layer), layer.annotations ?? {}, subject),
  DSSE: async ({ source, subject, layer }) =>
    readCosignAttestation(await readBounded(source, layer), layer.annotations ?? {}, subject),
  BUNDLE: async ({ source, subject, layer }) =>
    readBundle(await readBounded(source, layer), subject),
  NOTARY_JWS: async ({ source, subject, layer }) =>
    readJws(await readBounded(source, layer, LIMITS.notaryBytes), await source.resolve(subject)),
  NOTARY_COSE: async ({ source, subject, layer }) =>
    readCose(await readBounded(source, layer, LIMITS.notaryBytes), await source.resolve(subject)),
};
