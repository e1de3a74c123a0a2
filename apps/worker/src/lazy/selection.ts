/**
 * Which manifests of an index a job copies. A mirror's job keeps the index as its publisher signed
 * it, for the platforms of the mirror; where that can't be stored, it is reduced to them.
 */
import type { StagingJob } from '@portcullis/domain';
import { REDUCED_FROM } from '@portcullis/local-registry';
import {
  type CopyOptions,
  type Descriptor,
  type Digest,
  type Index,
  leftForPlatforms,
  type Manifest,
  type ManifestLimits,
  parseManifest,
  readWhole,
  type Source,
  withErrorSide,
} from '@portcullis/oci';

type Chosen = Pick<StagingJob, 'platforms' | 'keepIndex'>;
type Selection = Pick<CopyOptions, 'platforms' | 'keepIndex' | 'reducedFrom'>;

/** How the image is copied by its digest, after the job has brought it in. */
export function selectionOf({ platforms, keepIndex }: Chosen): Selection {
  return keepIndex ? { platforms, keepIndex } : {};
}

interface Read {
  image: Source;
  root: Descriptor;
  limits: ManifestLimits;
}

/** What the index lists and the job does not bring in. */
export async function leftOut({ platforms, keepIndex }: Chosen, read: Read): Promise<Digest[]> {
  if (!keepIndex || platforms === 'all') return [];
  const document = await documentOf(read);
  return document.kind === 'index'
    ? leftForPlatforms(document, platforms).map(({ digest }) => digest)
    : [];
}

/** To reduce the index of a mirror to the platforms of its job; other jobs copy it whole. */
export async function reducedSelection(
  { platforms, keepIndex }: Chosen,
  read: Read,
): Promise<Selection> {
  if (!keepIndex || platforms === 'all') return {};
  const document = await documentOf(read);
  if (document.kind !== 'index' || leftForPlatforms(document, platforms).length === 0) return {};
  const offered = platforms.filter((platform) => isOffered(document, platform));
  return { platforms: offered, reducedFrom: REDUCED_FROM };
}

function isOffered(index: Index, platform: string): boolean {
  return leftForPlatforms(index, [platform]).length > 0;
}

function documentOf({ image, root, limits }: Read): Promise<Manifest | Index> {
  return withErrorSide('source', async () => {
    const bytes = await readWhole(await image.fetch(root), root);
    return parseManifest(bytes, root.mediaType, limits);
  });
}
