/** A repository with an image, and what clients attach to it. */
import {
  contentOf,
  type Descriptor,
  digestOf,
  OCI_INDEX,
  OCI_MANIFEST,
  type ReferrerLister,
  referrersTag,
  type Target,
} from '@portcullis/oci';
import { createMemoryStore, type MemoryStore } from '@portcullis/oci/memory';

/** In memory, or of a registry. */
type Store = Target & ReferrerLister;

export interface SampleRepository<Kept extends Store = Store> {
  readonly store: Kept;
  readonly image: Descriptor;
}

export interface LayerInput {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly annotations?: Record<string, string>;
}

export function sampleRepository(name = 'image'): Promise<SampleRepository<MemoryStore>> {
  return withImage(createMemoryStore(), name);
}

export async function withImage<Kept extends Store>(
  store: Kept,
  name: string,
): Promise<SampleRepository<Kept>> {
  const image = await pushManifest(store, { layers: [], annotations: { name } });
  return { store, image };
}

async function pushBlob(store: Store, layer: LayerInput): Promise<Descriptor> {
  const { mediaType, bytes, annotations } = layer;
  const descriptor = { mediaType, digest: await digestOf(bytes), size: bytes.length };
  await store.push(descriptor, async (part) => contentOf(bytes, part));
  return { ...descriptor, ...(annotations && { annotations }) };
}

export interface ManifestInput {
  readonly layers: readonly LayerInput[];
  readonly annotations?: Record<string, string>;
  readonly artifactType?: string;
  readonly subject?: Descriptor;
  readonly tag?: string;
}

export async function pushManifest(store: Store, input: ManifestInput): Promise<Descriptor> {
  const { tag, layers, ...rest } = input;
  const config = await pushBlob(store, {
    mediaType: 'application/vnd.oci.empty.v1+json',
    bytes: Buffer.from('{}'),
  });
  const pushed: Descriptor[] = [];
  const known = new Map<Uint8Array, Descriptor>();
  for (const layer of layers) {
    const { annotations, ...blob } = known.get(layer.bytes) ?? (await pushBlob(store, layer));
    known.set(layer.bytes, blob);
    pushed.push({ ...blob, ...(layer.annotations && { annotations: layer.annotations }) });
  }
  return pushDocument(
    store,
    { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: pushed, ...rest },
    tag,
  );
}

async function pushDocument(
  store: Store,
  document: { mediaType: string; [member: string]: unknown },
  tag?: string,
): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(document));
  const { mediaType } = document;
  const descriptor = { mediaType, digest: await digestOf(bytes), size: bytes.length };
  await store.push(descriptor, async (part) => contentOf(bytes, part), { tag });
  return descriptor;
}

/** Under the tag of cosign: `.sig` or `.att`. */
export function attachByTag(
  { store, image }: SampleRepository,
  suffix: 'sig' | 'att',
  layers: readonly LayerInput[],
): Promise<Descriptor> {
  return pushManifest(store, { layers, tag: `${referrersTag(image.digest)}.${suffix}` });
}

/** As a referrer. */
export function attachReferrer(
  { store, image: subject }: SampleRepository,
  layers: readonly LayerInput[],
  artifactType = layers[0]?.mediaType ?? '',
): Promise<Descriptor> {
  return pushManifest(store, { layers, artifactType, subject });
}

/** The list that clients keep where the registry has no API for referrers. */
export function pushReferrersTag(
  { store, image }: SampleRepository,
  manifests: readonly Descriptor[],
): Promise<Descriptor> {
  const document = { schemaVersion: 2, mediaType: OCI_INDEX, manifests };
  return pushDocument(store, document, referrersTag(image.digest));
}
