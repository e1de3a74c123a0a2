/** Lists the image manifests of a layout, at any depth of indexes. */
import {
  isImageConfigType,
  type Manifest,
  type ManifestLimits,
  parseManifest,
  readWhole,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';

export async function imagesIn(layout: Layout, limits: ManifestLimits): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const descriptor of await layout.manifests()) {
    const bytes = await readWhole(await layout.fetch(descriptor), descriptor);
    const document = await parseManifest(bytes, descriptor.mediaType, limits);
    if (document.kind === 'manifest' && isImageConfigType(document.config.mediaType))
      found.push(document);
  }
  return found;
}
