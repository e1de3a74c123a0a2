/** What a manifest references, for garbage collection. */
import type { Digest } from '@portcullis/oci';
import { blobFile, digestOf, digestsIn, fieldsOf } from '../catalog/stored-manifests.ts';
import type { StorageFiles } from '../storage/storage-files.ts';

/** Null for a manifest that cannot be parsed: it may reference anything. */
export async function namedBy(storage: StorageFiles, digest: Digest): Promise<string[] | null> {
  const bytes = await storage.read(blobFile(digest));
  if (bytes === null) return [];
  const document = await fieldsOf(bytes);
  return document && blobsIn(document);
}

/** The blobs and manifests that the fields of a manifest name, except its subject. */
export function blobsIn(document: Record<string, unknown>): string[] {
  const config = digestOf(document.config);
  return [
    ...(config === null ? [] : [config]),
    ...['layers', 'manifests', 'blobs'].flatMap((name) => digestsIn(document[name])),
    ...layersOfSchema1(document.fsLayers),
  ];
}

/** Docker schema 1, which an old registry may contain. */
function layersOfSchema1(layers: unknown): string[] {
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((layer: unknown) => {
    const digest = typeof layer === 'object' && layer !== null && Reflect.get(layer, 'blobSum');
    return typeof digest === 'string' ? [digest] : [];
  });
}
