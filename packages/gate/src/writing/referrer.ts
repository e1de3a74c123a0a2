/** Stores a document in the local registry as a manifest that refers to an image. */
import { copy, type Descriptor, OCI_EMPTY, OCI_MANIFEST } from '@portcullis/oci';
import type { MemoryStore } from '@portcullis/oci/memory';
import type { Repository } from '@portcullis/oci/remote';
import type { Store } from '@portcullis/store';
import { createDocuments } from './documents.ts';
import { type LocalWriterPorts, openLocalWriter } from './local-writer.ts';

export interface ReferrerDocument {
  /** Of the document, and of the artifact. */
  mediaType: string;
  bytes: Uint8Array;
  annotations?: Readonly<Record<string, string>>;
  subject: Pick<Descriptor, 'mediaType' | 'digest' | 'size'>;
}

export interface ReferrerArtifact extends Pick<ReferrerDocument, 'mediaType' | 'subject'> {
  store: MemoryStore;
  manifest: Descriptor;
  annotations: Record<string, string> | null;
}

export async function referrerArtifact({
  mediaType,
  bytes,
  annotations,
  subject,
}: ReferrerDocument): Promise<ReferrerArtifact> {
  const { store, put } = createDocuments();
  const config = await put(OCI_EMPTY, {});
  const layer = await put(mediaType, bytes);
  const document = {
    ...{ schemaVersion: 2, mediaType: OCI_MANIFEST, artifactType: mediaType },
    ...{ config, layers: [layer] },
    subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
    ...(annotations && { annotations }),
  };
  const manifest = await put(OCI_MANIFEST, document);
  return {
    store,
    manifest,
    mediaType,
    subject,
    annotations: annotations ? { ...annotations } : null,
  };
}

export interface ReferrerPorts extends LocalWriterPorts {
  store: Pick<Store, 'referrers'>;
}

/** @throws conflict, unavailable */
export async function storeReferrer(
  ports: ReferrerPorts,
  opened: { name: string; repository: Repository },
  artifact: ReferrerArtifact,
  signal: AbortSignal,
): Promise<void> {
  const { manifest, mediaType, subject, annotations, store } = artifact;
  const writer = await openLocalWriter(ports, opened);
  await writer.entering({ root: manifest, source: store }, async () => {
    await copy(store, manifest.digest, writer.target, { signal });
    // An attempt before may have stored the manifest, which is not stored again, and no more.
    await ports.store.referrers.record({
      repository: opened.name,
      digest: manifest.digest,
      subject: subject.digest,
      mediaType: manifest.mediaType,
      artifactType: mediaType,
      size: manifest.size,
      annotations,
    });
    await writer.settle();
  });
}
