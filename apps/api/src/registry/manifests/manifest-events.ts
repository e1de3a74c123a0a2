/**
 * Events of stored and deleted manifests, emitted after the registry's reply and before the
 * client's.
 */
import type { Principal } from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';

export interface ManifestPut {
  repository: string;
  /** Null for a push by digest. */
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
