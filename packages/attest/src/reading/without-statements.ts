/**
 * A source as it is copied into the local registry: without what this installation states about
 * images. A statement holds in the folder for which it was signed; elsewhere it may be wrong, and
 * is not withdrawn there.
 */
import { notFound } from '@portcullis/errors';
import {
  contentOf,
  type Descriptor,
  type Digest,
  digestOf,
  forEachAtMost,
  type Manifest,
  parseManifest,
  type ResolveOptions,
  type Source,
} from '@portcullis/oci';
import { mayPass, readBounded } from './found-layers.ts';
import { rankOf } from './media-types.ts';
import { type StatementKeys, statementLayers } from './statement-layers.ts';

type ReadManifest = { bytes: Uint8Array; manifest: Manifest };

const READ_AT_ONCE = 4;
const TAG = /^sha256-[0-9a-f]{64}\.att$/;

/** Whether it is cosign's tag of attestations of an image. */
export function isAttestationTag(reference: string): boolean {
  return TAG.test(reference);
}

/**
 * A referrer with such a statement is not listed. Under cosign's tag of attestations what others
 * attested stays.
 */
export function withoutStatements(source: Source, publicKeys: StatementKeys): Source {
  // A copy has its own word for what is broken.
  const statementsIn = statementLayers(publicKeys, (error) => !mayPass(error));
  const written = new Map<Digest, Uint8Array>();

  async function holdsStatement(referrer: Descriptor): Promise<boolean> {
    if (rankOf(referrer.artifactType) === null) return false;
    const read = await readManifest(source, referrer);
    return (await statementsIn(source, read?.manifest.layers ?? [])).size > 0;
  }

  async function referrers(
    digest: Digest,
    options?: Parameters<NonNullable<Source['referrers']>>[1],
  ): Promise<Descriptor[]> {
    const listed = (await source.referrers?.(digest, options)) ?? [];
    const left = new Set<Digest>();
    await forEachAtMost(READ_AT_ONCE, listed, async (referrer) => {
      if (await holdsStatement(referrer)) left.add(referrer.digest);
    });
    return listed.filter((referrer) => !left.has(referrer.digest));
  }

  /** @throws not_found where nothing but statements is under the tag */
  async function attestations(found: Descriptor): Promise<Descriptor> {
    const read = await readManifest(source, found);
    if (!read) return found;
    const reduced = reducedBy(read, await statementsIn(source, read.manifest.layers));
    if (reduced === read.bytes) return found;
    if (reduced === null)
      throw notFound('MANIFEST_UNKNOWN', 'the tag has statements of this installation alone');
    const digest = await digestOf(reduced);
    written.set(digest, reduced);
    return { mediaType: found.mediaType, digest, size: reduced.length };
  }

  return {
    async resolve(reference: string, options?: ResolveOptions) {
      const found = await source.resolve(reference, options);
      return isAttestationTag(reference) ? attestations(found) : found;
    },
    async fetch(descriptor, options) {
      const bytes = written.get(descriptor.digest);
      return bytes ? contentOf(bytes, options) : source.fetch(descriptor, options);
    },
    ...(source.mover && { mover: (descriptor) => source.mover?.(descriptor) }),
    ...(source.referrers && { referrers }),
  };
}

/** The same bytes where it has none of the layers; null where it has no others. */
export function reducedBy(
  { bytes, manifest: { layers } }: ReadManifest,
  without: ReadonlySet<Digest>,
): Uint8Array | null {
  const others = layers.filter(({ digest }) => !without.has(digest));
  if (others.length === layers.length) return bytes;
  if (others.length === 0) return null;
  const document = JSON.parse(Buffer.from(bytes).toString());
  return Buffer.from(JSON.stringify({ ...document, layers: others }));
}

function readManifest(source: Source, descriptor: Descriptor): Promise<ReadManifest | null> {
  return unlessBroken(async () => {
    const bytes = await readBounded(source, descriptor);
    const manifest = await parseManifest(bytes, descriptor.mediaType);
    return manifest.kind === 'manifest' ? { bytes, manifest } : null;
  });
}

/** What may pass is thrown: what could not be read may be a statement. */
async function unlessBroken<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (mayPass(error)) throw error;
    return null;
  }
}
