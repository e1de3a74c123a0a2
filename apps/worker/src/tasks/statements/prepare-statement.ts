/** Makes a statement from what is known of an image, signs it, and stores it beside the image. */
import { type SigningKey, signStatement } from '@portcullis/attest';
import { type StatedBy, statementOf, verificationSummary } from '@portcullis/domain';
import {
  exchangeAttestation,
  type ReferrerPorts,
  referrerArtifact,
  storeReferrer,
  UNUSED_QUOTAS,
  UNUSED_TAGS,
} from '@portcullis/gate';
import { parseDigest } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { StatementKey } from '@portcullis/store';
import type { LocalRegistry } from '../../local-registry.ts';
import type { PreparedStatement, StatementOrder } from './keep-statements.ts';

export interface PreparePorts
  extends Pick<ReferrerPorts, 'store'>,
    Pick<LocalRegistry, 'keeper' | 'registryLock'> {
  open(repository: string): Repository;
  stated: Omit<StatedBy, 'keyId'>;
}

export function createPreparation(ports: PreparePorts) {
  // A full folder, or one whose tags stay, must not keep what is stated there from being right.
  const writing = { ...ports, folderQuotas: UNUSED_QUOTAS, immutableTags: UNUSED_TAGS };

  async function prepare(place: StatementOrder, key: SigningKey): Promise<PreparedStatement> {
    const by = { ...ports.stated, keyId: key.id };
    const predicate = verificationSummary(place, place.wanted.verdict, by);
    const { mediaType, bytes, annotations, envelope } = signStatement(
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
      async store(signal) {
        await storeReferrer(writing, opened, artifact, signal);
        if (!wanted.isTagged) return;
        const layer = { subject: artifact.subject.digest, layer: envelope };
        await exchangeAttestation(writing, opened, layer, signal);
      },
    };
  }

  /** Also where no statement was under cosign's tag. */
  async function withdrawTagged(
    { repository: name, digest }: StatementKey,
    signal: AbortSignal,
  ): Promise<void> {
    const opened = { name, repository: ports.open(name) };
    await exchangeAttestation(
      writing,
      opened,
      { subject: parseDigest(digest), layer: null },
      signal,
    );
  }

  return { prepare, withdrawTagged };
}
