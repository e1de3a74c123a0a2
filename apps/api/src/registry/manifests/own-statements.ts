/**
 * Statements of this installation that clients push: a copy of an image with all that refers to it
 * brings them along, also those that were withdrawn. They are left behind, and the copy goes on. A
 * worker alone stores what is stated here, so that no push can be too late for a withdrawal.
 */
import { isAttestationTag, reducedBy, type StatementLayers } from '@portcullis/attest';
import { forbidden, invalid, isAppError, unlessMissing } from '@portcullis/errors';
import {
  type Digest,
  digestOf,
  isDigest,
  type Manifest,
  parseManifest,
  type Source,
} from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { ManifestBody } from './manifest-body.ts';

export interface OwnStatements {
  statementsIn: StatementLayers;
  /** A repository of the built-in registry. */
  open(repository: string): Pick<Source, 'fetch'> & Pick<Repository, 'manifest'>;
}

export interface PushedManifest {
  repository: string;
  reference: string;
  body: ManifestBody;
}

export const LEFT_BEHIND =
  'statements of this installation are left behind: it states itself what holds here';

/**
 * What is stored of a manifest: of cosign's tag of attestations what others attested, and ours as
 * far as it is there already. Null where it has statements of ours, and is not stored.
 * @throws forbidden `STATEMENT_DENIED` for another tag, which no copy of an image has; invalid
 * `MANIFEST_BLOB_UNKNOWN`
 */
export async function withoutOwnStatements(
  { statementsIn, open }: OwnStatements,
  { repository, reference, body }: PushedManifest,
): Promise<ManifestBody | null> {
  const { bytes, manifest } = body;
  if (manifest.kind === 'index') return body;
  const opened = open(repository);
  const ours = await unlessUnknown(statementsIn(opened, manifest.layers));
  if (ours.size === 0) return body;
  if (isDigest(reference)) return null;
  if (!isAttestationTag(reference))
    throw forbidden(
      'STATEMENT_DENIED',
      'this is a statement of this installation, which alone states what holds here',
    );
  const there = await layersUnder(opened, reference);
  const late = new Set([...ours].filter((digest) => !there.has(digest)));
  const reduced = reducedBy({ bytes, manifest }, late);
  if (reduced === null || reduced === bytes) return reduced && body;
  return {
    bytes: Buffer.from(reduced),
    manifest: await parseManifest(reduced, manifest.mediaType),
    sent: await digestOf(bytes),
  };
}

async function layersUnder(
  repository: Pick<Repository, 'manifest'>,
  tag: string,
): Promise<ReadonlySet<Digest>> {
  const found = await unlessMissing(repository.manifest(tag));
  const parsed = found && (await parseManifest(found.bytes, found.descriptor.mediaType));
  const layers: Manifest['layers'] = parsed?.kind === 'manifest' ? parsed.layers : [];
  return new Set(layers.map(({ digest }) => digest));
}

/** The registry refuses such a manifest, too; by then the blob may have come. */
async function unlessUnknown<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found')
      throw invalid('MANIFEST_BLOB_UNKNOWN', 'the repository lacks a blob of the manifest');
    throw error;
  }
}
