/** Records that a tag of a mirror goes on serving its last good image: each change once. */
import type { Principal } from '@portcullis/domain';
import { type Behind, heldChange, type Mirror, markOf } from '@portcullis/domain/mirror';
import { systemEvent } from '@portcullis/events';
import type { KnownReference, MirrorReference, Store } from '@portcullis/store';

export interface HeldChangesPorts {
  store: Pick<Store['mirrors'], 'announce'>;
}

interface Noticed {
  mirror: Pick<Mirror, 'folder'>;
  place: MirrorReference;
  known: KnownReference;
  behind: Behind;
  /** The account that pulled; null where no client did. */
  by: Pick<Principal, 'id' | 'username'> | null;
}

export interface HeldChanges {
  /** Call wherever it is noticed: of all processes one records it. */
  note(noticed: Noticed): Promise<void>;
}

export function createHeldChanges({ store }: HeldChangesPorts): HeldChanges {
  return {
    async note({ mirror: { folder }, place, known, behind, by }) {
      const change = heldChange(behind, known);
      if (change === null) return;
      const { because, upstreamDigest, code } = change;
      const event = systemEvent({
        event: 'mirror.last_good',
        outcome: 'success',
        actor: by ? { id: by.id, name: by.username } : { id: null, name: 'mirror' },
        action: by ? 'pull' : 'check',
        resource: { kind: 'image', id: known.here, name: place.repository, folder },
        detail: {
          ...{ tag: place.reference, because },
          ...(upstreamDigest !== null && { upstream_digest: upstreamDigest, code }),
        },
      });
      await store.announce(place, markOf(change), event);
    },
  };
}
