/**
 * The tag under which cosign keeps attestations of an image, `sha256-<hex>.att`: our statement is
 * one of its layers, and those of others stay. Some readers look for statements of a key there
 * alone.
 */
import { unlessMissing } from '@portcullis/errors';
import type { IndexKeeper, WriteLock } from '@portcullis/local-registry';
import {
  copy,
  type Descriptor,
  type Digest,
  encodedOf,
  OCI_EMPTY,
  OCI_MANIFEST,
  parseManifest,
  type Source,
} from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { createDocuments } from './documents.ts';
import { type LocalWriterPorts, openLocalWriter } from './local-writer.ts';

export interface AttestationTagPorts extends LocalWriterPorts {
  keeper: LocalWriterPorts['keeper'] & Pick<IndexKeeper, 'removed'>;
  registryLock: WriteLock;
  /** Which of these layers are statements of this installation. */
  statementsIn(
    source: Pick<Source, 'fetch'>,
    layers: readonly Descriptor[],
  ): Promise<ReadonlySet<Digest>>;
}

export interface AttestationLayer {
  mediaType: string;
  bytes: Uint8Array;
}

/** Says so to people; a layer is ours where a key of ours signed it. */
const OURS = 'io.portcullis.statement';
/** cosign takes no layer without it; of an envelope it is empty. */
const SIGNATURE = 'dev.cosignproject.cosign/signature';

/**
 * @param layer null: ours is removed, and the tag with the last layer
 * @returns what the tag names then
 */
export async function exchangeAttestation(
  ports: AttestationTagPorts,
  opened: { name: string; repository: Repository },
  { subject, layer }: { subject: Digest; layer: AttestationLayer | null },
  signal: AbortSignal,
): Promise<Digest | null> {
  const tag = `sha256-${encodedOf(subject)}.att`;
  const before = await unlessMissing(opened.repository.manifest(tag, { signal }));
  const known = before ? await layersOf(before) : [];
  const ours = await ports.statementsIn(opened.repository, known);
  const others = known.filter(({ digest }) => !ours.has(digest));
  if (layer === null && others.length === known.length) return before?.descriptor.digest ?? null;
  if (layer === null && others.length === 0) {
    await ports.registryLock.write(() =>
      unlessMissing(opened.repository.removeTag(tag, { signal })),
    );
    await ports.keeper.removed({ repository: opened.name, reference: tag });
    return null;
  }
  const { store, manifest } = await tagged(others, layer);
  const writer = await openLocalWriter(ports, opened);
  await writer.entering({ root: manifest, source: store }, async () => {
    await copy(store, manifest.digest, writer.target, { signal, targetTag: tag });
    await writer.settle();
  });
  return manifest.digest;
}

async function layersOf({
  bytes,
  descriptor,
}: Awaited<ReturnType<Repository['manifest']>>): Promise<readonly Descriptor[]> {
  const parsed = await parseManifest(bytes, descriptor.mediaType);
  return parsed.kind === 'manifest' ? parsed.layers : [];
}

/** The blobs of others are in the repository already. */
async function tagged(others: readonly Descriptor[], layer: AttestationLayer | null) {
  const { store, put } = createDocuments();
  const config = await put(OCI_EMPTY, {});
  const own = layer && {
    ...(await put(layer.mediaType, layer.bytes)),
    annotations: { [SIGNATURE]: '', [OURS]: 'verdict' },
  };
  const layers = [...others, ...(own ? [own] : [])];
  const document = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers };
  const manifest = await put(OCI_MANIFEST, document);
  return { store, manifest };
}
