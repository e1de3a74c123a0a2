/** How the product identifies itself to registries, and what it writes into their manifests. */
import { type ClientIdentity, deletedTagType } from '@portcullis/oci/remote';

export const CLIENT_IDENTITY: ClientIdentity = {
  id: 'portcullis',
  userAgent: 'portcullis',
  annotationPrefix: 'io.portcullis',
};

/** A tag that resolves to a manifest of this type is being deleted. */
export const DELETED_TAG_TYPE = deletedTagType(CLIENT_IDENTITY.id);

/** Annotation of an index that was reduced to some platforms: the digest of the original. */
export const REDUCED_FROM = `${CLIENT_IDENTITY.annotationPrefix}.chosen-from`;
