/** Makes a statement from what is known of an image, signs it, and stores it beside the image. */
import { type SigningKey, signStatement } from '@portcullis/attest';
import { type StatedBy, statementOf, verificationSummary } from '@portcullis/domain';
import {
  type ReferrerPorts,
  referrerArtifact,
  storeReferrer,
  UNUSED_QUOTAS,
} from '@portcullis/gate';
import { parseDigest } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { PreparedStatement, StatementOrder } from './keep-statements.ts';

export interface PreparePorts extends Omit<ReferrerPorts, 'folderQuotas'> {
  open(repository: string): Repository;
  stated: Omit<StatedBy, 'keyId'>;
}

export function createPreparation(ports: PreparePorts) {
  // A full folder must not keep what is stated about its images from being right.
  const writing = { ...ports, folderQuotas: UNUSED_QUOTAS };

  return async (place: StatementOrder, key: SigningKey): Promise<PreparedStatement | null> => {
    const by = { ...ports.stated, keyId: key.id };
    const predicate = predicateOf(place, by);
    if (predicate === null) return null;
    const { mediaType, bytes, annotations } = signStatement(
      key,
      statementOf(place.kind, place, { by, predicate }),
    );
    const { repository: name, digest, wanted } = place;
    const artifact = await referrerArtifact({
      ...{ mediaType, bytes, annotations },
      subject: { mediaType: wanted.mediaType, digest: parseDigest(digest), size: wanted.size },
    });
    const opened = { name, repository: ports.open(name) };
    return {
      manifest: artifact.manifest.digest,
      store: (signal) => storeReferrer(writing, opened, artifact, signal),
    };
  };
}

function predicateOf(place: StatementOrder, by: StatedBy): object | null {
  const { verdict } = place.wanted;
  return verdict && verificationSummary(place, verdict, by);
}
