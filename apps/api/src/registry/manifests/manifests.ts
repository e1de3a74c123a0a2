/** Effects of a stored or deleted manifest: updates the referrers and notifies subscribers. */
import type { OutgoingHttpHeaders } from 'node:http';
import { artifactTypeOf, type Digest, isDigest } from '@portcullis/oci';
import type { Referrer } from '@portcullis/store';
import type { RegistryReply, RepositoryCall, V2 } from '../v2.ts';
import type { ManifestBody } from './manifest-body.ts';

export interface Settling extends RegistryReply {
  body: ManifestBody | undefined;
}

/** @returns headers for the reply */
export async function settleManifest(
  v2: V2,
  call: RepositoryCall,
  { status, headers, body }: Settling,
): Promise<OutgoingHttpHeaders> {
  const { route, v2Request } = call;
  if (route.kind !== 'manifest' || status >= 300) return {};
  if (v2Request.method === 'DELETE') await settleRemoved(v2, route);
  if (v2Request.method !== 'PUT' || !body) return {};
  const digest = headers['docker-content-digest']?.toString() ?? '';
  if (!isDigest(digest))
    throw new Error('the registry stored a manifest without saying its digest');
  return settleStored(v2, call, { ...route, digest, body });
}

interface Stored {
  repository: string;
  reference: string;
  digest: Digest;
  body: ManifestBody;
}

async function settleStored(
  v2: V2,
  { principal: by }: RepositoryCall,
  { repository, reference, digest, body }: Stored,
): Promise<OutgoingHttpHeaders> {
  const { bytes, manifest } = body;
  const referrer = referrerIn({ repository, digest, body });
  if (referrer) await v2.ports.referrers.record(referrer);
  const tag = isDigest(reference) ? null : reference;
  const { mediaType } = manifest;
  await v2.ports.manifests?.stored({ repository, tag, digest, mediaType, bytes, by });
  return referrer ? { 'oci-subject': referrer.subject } : {};
}

/** @returns null for a manifest without a subject */
function referrerIn({ repository, digest, body }: Omit<Stored, 'reference'>): Referrer | null {
  const { bytes, manifest } = body;
  if (!manifest.subject) return null;
  return {
    repository,
    digest,
    subject: manifest.subject.digest,
    mediaType: manifest.mediaType,
    artifactType: artifactTypeOf(manifest) ?? null,
    size: bytes.length,
    annotations: manifest.annotations ?? null,
  };
}

async function settleRemoved(
  v2: V2,
  { repository, reference }: Omit<Stored, 'digest' | 'body'>,
): Promise<void> {
  if (isDigest(reference)) await v2.ports.referrers.remove(repository, reference);
  await v2.ports.manifests?.removed({ repository, reference });
}
