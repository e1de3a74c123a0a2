/** Deletes manifests and tags (distribution spec § Content management). */
import { randomUUID } from 'node:crypto';
import type { Digest } from '../model/digest.ts';
import { OCI_INDEX } from '../model/media-type.ts';
import { conflict } from '../oci-error.ts';
import type { HttpResponse } from './http/message.ts';
import type { ClientIdentity } from './http/transport-parts.ts';
import {
  digestOf,
  type FetchedManifest,
  getManifest,
  type ManifestAccess,
  putManifest,
} from './manifests.ts';
import { isKind, registryError } from './registry-error.ts';

/**
 * Artifact type of the placeholder manifest of a deleted tag. A tag that resolves to one counts as
 * deleted, even if the deletion was interrupted.
 */
export function deletedTagType(clientId: string): string {
  return `application/vnd.${clientId}.deleted-tag.v1+json`;
}

/** Deletes a manifest with all its tags. @throws not_found; conflict `DELETE_UNSUPPORTED` */
export async function removeManifest(access: ManifestAccess, digest: Digest): Promise<void> {
  const answer = await remove(access, digest);
  if (isDone(answer)) return;
  if (answer.status === 405 || answer.status === 501) throw unsupported(answer);
  throw registryError(answer, `the manifest ${digest} of ${access.repository}`);
}

/**
 * Deletes a tag; other tags of the same manifest stay. If the registry deletes by digest only, the
 * tag is first moved to a unique placeholder manifest, which is then deleted: a concurrent push of
 * the tag is not lost.
 * @throws not_found; conflict `DELETE_UNSUPPORTED`
 */
export async function removeTag(access: ManifestAccess, tag: string): Promise<void> {
  const before = await getManifest(access, tag);
  const answer = await remove(access, tag);
  if (isDone(answer)) return;
  if (![400, 404, 405, 501].includes(answer.status))
    throw registryError(answer, `the tag ${tag} of ${access.repository}`);
  await removeByPlaceholder(access, tag, before);
}

async function removeByPlaceholder(
  access: ManifestAccess,
  tag: string,
  before: FetchedManifest,
): Promise<void> {
  const placeholder = makePlaceholder(access.client.identity);
  const { digest } = placeholder.descriptor;
  // This digest does not exist yet: a registry without deletion reports that here, before anything
  // is changed.
  await ignoreMissing(removeManifest(access, digest));
  await putManifest(access, tag, placeholder);
  try {
    await ignoreMissing(removeManifest(access, digest));
  } catch (error) {
    if ((await tagOf(access, tag)) === digest) await putManifest(access, tag, before);
    throw error;
  }
}

async function tagOf(access: ManifestAccess, tag: string): Promise<Digest | undefined> {
  return (await getManifest(access, tag).catch(() => undefined))?.descriptor.digest;
}

function makePlaceholder({ id, annotationPrefix }: ClientIdentity): FetchedManifest {
  const annotations = { [`${annotationPrefix}.id`]: randomUUID() };
  const document = {
    schemaVersion: 2,
    mediaType: OCI_INDEX,
    artifactType: deletedTagType(id),
    manifests: [],
    annotations,
  };
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    descriptor: { mediaType: OCI_INDEX, digest: digestOf(bytes, ''), size: bytes.length },
    bytes,
  };
}

function remove(
  { client, repository, scopes, signal }: ManifestAccess,
  reference: string,
): Promise<HttpResponse> {
  return client.send({
    method: 'DELETE',
    path: `${repository}/manifests/${reference}`,
    scopes,
    signal,
  });
}

function isDone({ status }: HttpResponse): boolean {
  return status === 200 || status === 202 || status === 204;
}

async function ignoreMissing(removal: Promise<void>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!isKind(error, 'not_found')) throw error;
  });
}

function unsupported({ url }: HttpResponse) {
  return conflict('DELETE_UNSUPPORTED', `${url.host} does not support deletion`, {
    detail: { host: url.host },
  });
}
