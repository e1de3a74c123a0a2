/**
 * What `/v2` tells of manifests that came and went: after the registry said yes, before the client
 * hears of it.
 */
import type { Principal } from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';

export interface ManifestPut {
  repository: string;
  /** Null when it was put under its digest. */
  tag: string | null;
  digest: Digest;
  mediaType: string;
  bytes: Buffer;
  by: Principal;
}

export interface RemovedManifest {
  repository: string;
  /** A tag or a digest. */
  reference: string;
}

export interface ManifestEvents {
  stored(event: ManifestPut): Promise<void>;
  removed(event: RemovedManifest): Promise<void>;
}
