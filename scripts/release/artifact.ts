/**
 * Attaches a document to an image in its registry: an OCI artifact whose `subject` is the image.
 */
import {
  contentOf,
  type Descriptor,
  type Digest,
  digestOf,
  OCI_EMPTY,
  OCI_MANIFEST,
  type Pusher,
  type ReferrerLister,
} from '@portcullis/oci';

export interface Document {
  /** Also the artifact type, by which clients look for it. */
  mediaType: string;
  bytes: Uint8Array;
  /** File name when a client stores it. */
  title: string;
}

/** @returns the artifact; an existing one of the same type is returned unchanged. */
export async function attach(
  repository: Pusher & ReferrerLister,
  subject: Descriptor,
  document: Document,
): Promise<Descriptor> {
  const present = (await repository.referrers(subject.digest)).find(
    ({ artifactType }) => artifactType === document.mediaType,
  );
  if (present) return present;
  const config = await pushed(repository, OCI_EMPTY, utf8('{}'));
  const layer = await pushed(repository, document.mediaType, document.bytes);
  const { mediaType, digest, size } = subject;
  const manifest = {
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    artifactType: document.mediaType,
    config,
    layers: [{ ...layer, annotations: { 'org.opencontainers.image.title': document.title } }],
    subject: { mediaType, digest, size },
  };
  const stored = await pushed(repository, OCI_MANIFEST, utf8(JSON.stringify(manifest)));
  return { ...stored, artifactType: document.mediaType };
}

async function pushed(
  repository: Pusher,
  mediaType: string,
  bytes: Uint8Array,
): Promise<Descriptor> {
  const digest: Digest = await digestOf(bytes);
  const descriptor = { mediaType, digest, size: bytes.byteLength };
  if (!(await repository.exists(descriptor)))
    await repository.push(descriptor, async (options) => contentOf(bytes, options));
  return descriptor;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
