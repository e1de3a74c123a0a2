/** An OpenVEX document as an OCI artifact that refers to an image. */
import { OPENVEX_MEDIA_TYPE } from '@portcullis/domain';
import { contentOf, type Descriptor, digestOf, OCI_EMPTY, OCI_MANIFEST } from '@portcullis/oci';
import { createMemoryStore, type MemoryStore } from '@portcullis/oci/memory';

export interface VexArtifact {
  store: MemoryStore;
  manifest: Descriptor;
}

export async function vexArtifact(document: object, image: Descriptor): Promise<VexArtifact> {
  const store = createMemoryStore();
  const put = async (mediaType: string, value: object): Promise<Descriptor> => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const descriptor = { mediaType, digest: await digestOf(bytes), size: bytes.length };
    await store.push(descriptor, async (part) => contentOf(bytes, part));
    return descriptor;
  };
  const config = await put(OCI_EMPTY, {});
  const layer = await put(OPENVEX_MEDIA_TYPE, document);
  const { mediaType, digest, size } = image;
  const manifest = await put(OCI_MANIFEST, {
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    artifactType: OPENVEX_MEDIA_TYPE,
    config,
    layers: [layer],
    subject: { mediaType, digest, size },
  });
  return { store, manifest };
}
