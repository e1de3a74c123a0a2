/**
 * Finds signatures, SBOMs and attestations of an image: OCI 1.1 referrers and cosign tags. Any
 * manifest can name any other as its subject, so referrers that a container engine could run as an
 * image are not copied.
 */

import type { Descriptor } from '../model/descriptor.ts';
import { type Digest, encodedOf } from '../model/digest.ts';
import { unsupportedManifest } from '../model/manifest.ts';
import { isManifestType, isSociIndex } from '../model/media-type.ts';
import { isRunnable } from '../model/runnable.ts';
import { isOciError, type OciError, tooLarge } from '../oci-error.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source } from './content.ts';
import { withErrorSide } from './error-side.ts';
import {
  addNode,
  assertTreeFits,
  createGraph,
  explore,
  type Graph,
  type GraphOptions,
  MAX_DEPTH,
} from './graph.ts';
import { type Optional, runnableReferrer } from './left-behind.ts';

export interface Tagged {
  descriptor: Descriptor;
  tag: string;
}

/** Limit per image, including referrers of referrers. Each costs a request. */
const MAX_REFERRERS = 10_000;

const COSIGN_SUFFIXES = ['sig', 'att', 'sbom'];

export interface ReferrerOptions extends GraphOptions {
  optional: Optional;
  /** Accepts all referrers without reading their blobs, for a dry run. */
  skipContentCheck?: boolean | undefined;
}

/**
 * Adds the referrers of all manifests in the graph, and their referrers in turn, except runnable
 * images.
 * @returns the tags that cosign looks for
 */
export async function exploreReferrers(
  graph: Graph,
  source: Source,
  options: ReferrerOptions,
): Promise<Tagged[]> {
  const tags: Tagged[] = [];
  const tried = new Set<Digest>();
  const queried = new Set<Digest>();
  for (let depth = 0; depth < (options.maxDepth ?? MAX_DEPTH); depth += 1) {
    const subjects = [...graph.nodes.keys()].filter((digest) => !queried.has(digest));
    if (subjects.length === 0) break;
    const found = new Map<Digest, Descriptor>();
    const add = (subject: Digest, descriptor: Descriptor) => {
      if (graph.nodes.has(descriptor.digest) || tried.has(descriptor.digest)) return;
      if (found.size + tried.size < MAX_REFERRERS) found.set(descriptor.digest, bare(descriptor));
      else options.optional.leave({ kind: 'list', name: subject }, tooMany());
    };
    await forEachAtMost(options.concurrency, subjects, async (digest) => {
      queried.add(digest);
      const signed = depth === 0 ? await cosignTags(source, digest, options) : [];
      tags.push(...signed);
      for (const { descriptor } of signed) add(digest, descriptor);
      for (const each of await listReferrers(source, digest, options)) add(digest, each);
    });
    await forEachAtMost(options.concurrency, found.values(), async (descriptor) => {
      tried.add(descriptor.digest);
      await options.optional.attempt({ kind: 'referrer', name: descriptor.digest }, () =>
        addReferrer(graph, source, descriptor, options),
      );
    });
  }
  return tags.filter(({ descriptor }) => graph.nodes.has(descriptor.digest));
}

/** Drops the annotations of a listing: they are not used and may be megabytes. */
function bare({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

function tooMany(): OciError {
  return tooLarge('REFERRERS_TOO_MANY', `more than ${MAX_REFERRERS} manifests refer to the image`, {
    side: 'source',
  });
}

/**
 * Manifests that the graph already contains are not checked again.
 * @throws conflict `REFERRER_IS_IMAGE` if one of its manifests is runnable or changes how engines
 * unpack an image (SOCI); invalid `MANIFEST_UNSUPPORTED` for a form that is not copied
 */
async function addReferrer(
  graph: Graph,
  source: Source,
  referrer: Descriptor,
  options: ReferrerOptions,
): Promise<void> {
  if (!isManifestType(referrer.mediaType))
    throw withSource(unsupportedManifest(referrer.mediaType));
  const added = createGraph();
  await explore(added, source, [referrer], options);
  const fresh = [...added.nodes.values()].filter(
    ({ descriptor }) => !graph.nodes.has(descriptor.digest),
  );
  if (!options.skipContentCheck) {
    for (const { descriptor, document } of fresh) {
      if (document.kind === 'index') continue;
      const isImage =
        isSociIndex(document) ||
        (await judgeOnce(descriptor.digest, () => isRunnable(document, source, options)));
      if (isImage) throw runnableReferrer(referrer.digest);
    }
  }
  assertTreeFits(graph, added.manifestBytes, options);
  for (const { descriptor, bytes } of fresh) {
    await addNode(graph, descriptor, bytes, options);
    graph.optional.add(descriptor.digest);
  }
}

function withSource(error: OciError): OciError {
  error.side = 'source';
  return error;
}

/** Results by manifest digest, because the same image is usually copied several times in a row. */
const JUDGED = new Map<Digest, boolean>();
const MAX_JUDGED = 10_000;

async function judgeOnce(digest: Digest, judge: () => Promise<boolean>): Promise<boolean> {
  const known = JUDGED.get(digest);
  if (known !== undefined) return known;
  const isRunnable = await judge();
  if (JUDGED.size >= MAX_JUDGED) JUDGED.clear();
  JUDGED.set(digest, isRunnable);
  return isRunnable;
}

async function listReferrers(
  source: Source,
  digest: Digest,
  { signal, optional }: ReferrerOptions,
): Promise<Descriptor[]> {
  const part = { kind: 'list', name: digest } as const;
  const incomplete = (error: OciError) => optional.leave(part, error);
  const list = () =>
    withErrorSide('source', async () =>
      source.referrers?.(digest, { signal, ...(!optional.isRequired && { incomplete }) }),
    );
  return (await optional.attempt(part, list)) ?? [];
}

/**
 * https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md: tags such as
 * `sha256-<hex>.sig`.
 */
async function cosignTags(
  source: Source,
  digest: Digest,
  { signal, optional }: ReferrerOptions,
): Promise<Tagged[]> {
  const names = COSIGN_SUFFIXES.map(
    (suffix) => `${digest.slice(0, 6)}-${encodedOf(digest)}.${suffix}`,
  );
  const found = await Promise.all(
    names.map(async (tag) => {
      const part = { kind: 'tag', name: tag } as const;
      return { tag, descriptor: await optional.attempt(part, () => find(source, tag, signal)) };
    }),
  );
  return found.flatMap(({ tag, descriptor }) => (descriptor ? [{ tag, descriptor }] : []));
}

/** HEAD first, because most images have no such tag; its length may be wrong, so GET decides. */
async function find(
  source: Source,
  tag: string,
  signal: AbortSignal,
): Promise<Descriptor | undefined> {
  try {
    return await withErrorSide('source', async () => {
      await source.resolve(tag, { signal });
      return source.resolve(tag, { signal, fetching: true });
    });
  } catch (error) {
    if (isOciError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}
