/** Signatures, SBOMs and attestations: what refers to a manifest, in the ways of OCI 1.1 and of cosign before it. */
import { isAppError } from '@portcullis/errors';
import { forEachAtMost } from './concurrency.ts';
import type { Source } from './content.ts';
import type { Descriptor } from './descriptor.ts';
import { type Digest, encodedOf } from './digest.ts';
import { explore, type Graph, type GraphOptions, MAX_DEPTH } from './graph.ts';
import { onSide } from './side.ts';

export interface Tagged {
  descriptor: Descriptor;
  tag: string;
}

const COSIGN_SUFFIXES = ['sig', 'att', 'sbom'];

/** Adds to the graph all that refers to it, and what refers to that; gives the tags cosign wants kept. */
export async function exploreReferrers(
  graph: Graph,
  source: Source,
  options: GraphOptions,
): Promise<Tagged[]> {
  const tags: Tagged[] = [];
  const asked = new Set<Digest>();
  for (let depth = 0; depth < (options.maxDepth ?? MAX_DEPTH); depth += 1) {
    const subjects = [...graph.nodes.keys()].filter((digest) => !asked.has(digest));
    if (subjects.length === 0) break;
    const found: Descriptor[] = [];
    await forEachAtMost(options.concurrency, subjects, async (digest) => {
      asked.add(digest);
      found.push(...(await listed(source, digest, options)));
      const signed = depth === 0 ? await cosignTags(source, digest, options) : [];
      tags.push(...signed);
      found.push(...signed.map(({ descriptor }) => descriptor));
    });
    await explore(graph, source, found, options);
  }
  return tags;
}

async function listed(source: Source, digest: Digest, { signal }: GraphOptions): Promise<Descriptor[]> {
  return (await onSide('source', async () => source.referrers?.(digest, { signal }))) ?? [];
}

/** https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md: `sha256-<hex>.sig` beside the image. */
async function cosignTags(source: Source, digest: Digest, { signal }: GraphOptions): Promise<Tagged[]> {
  const names = COSIGN_SUFFIXES.map((suffix) => `${digest.slice(0, 6)}-${encodedOf(digest)}.${suffix}`);
  const found = await Promise.all(
    names.map(async (tag) => ({ tag, descriptor: await find(source, tag, signal) })),
  );
  return found.flatMap(({ tag, descriptor }) => (descriptor ? [{ tag, descriptor }] : []));
}

async function find(source: Source, tag: string, signal: AbortSignal): Promise<Descriptor | undefined> {
  try {
    return await onSide('source', () => source.resolve(tag, { signal }));
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}
