/** Makes a statement from what is known of an image, signs it, and stores it beside the image. */
import { MAX_STATEMENT_BYTES, type SigningKey, signStatement } from '@portcullis/attest';
import { type LeftOut, type StatedBy, statementOf } from '@portcullis/domain';
import {
  type AttestationTagPorts,
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
import { createPredicates, type PredicatePorts } from './predicates.ts';

export interface PreparePorts extends Pick<LocalRegistry, 'keeper' | 'registryLock'> {
  store: ReferrerPorts['store'] & PredicatePorts;
  open(repository: string): Repository;
  statementsIn: AttestationTagPorts['statementsIn'];
  stated: Omit<StatedBy, 'keyId'>;
}

export function createPreparation(ports: PreparePorts) {
  // A full folder, or one whose tags stay, must not keep what is stated there from being right.
  const writing = { ...ports, folderQuotas: UNUSED_QUOTAS, immutableTags: UNUSED_TAGS };

  const predicateOf = createPredicates(ports.store);

  async function prepare(
    place: StatementOrder,
    key: SigningKey,
  ): Promise<PreparedStatement | LeftOut> {
    const by = { ...ports.stated, keyId: key.id };
    const predicate = await predicateOf(place, place.wanted, by);
    if (typeof predicate === 'string') return predicate;
    const { mediaType, bytes, annotations, envelope } = signStatement(
      key,
      statementOf(place.kind, place, { by, predicate }),
    );
    if (bytes.length > MAX_STATEMENT_BYTES) return 'too_large';
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
        if (!wanted.isTagged) return null;
        const layer = { subject: artifact.subject.digest, layer: envelope };
        return exchangeAttestation(writing, opened, layer, signal);
      },
    };
  }

  /** Also where no statement was under cosign's tag, which has verdicts alone. */
  async function withdrawTagged(
    { repository: name, digest, kind }: StatementKey,
    signal: AbortSignal,
  ): Promise<void> {
    if (kind !== 'verdict') return;
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
