/** Disk space for jobs: no write is started or continued that would leave less than the reserve. */
import type { SpaceClaim } from '@portcullis/oci/layout';
import { type DiskSpace, isShort, lacksSpace, type Space } from '@portcullis/runtime';

export interface WorkSpace {
  /** Reserves space. @throws as `lacksSpace`, where less than the reserve would be left */
  claim(bytes: number): Promise<SpaceClaim>;
  /** @throws as `claim` */
  assert(bytes?: number): Promise<void>;
  /** As `claim`, for bytes that were set aside before: only other programs can have taken them. */
  claimSetAside(bytes: number): Promise<SpaceClaim>;
  /** Bytes that were claimed and are not written yet. */
  claimed(): number;
}

export function workSpace(disk: Pick<DiskSpace, 'look'>): WorkSpace {
  /** Bytes of running writes that are not on the disk yet. */
  let promised = 0;

  function admit(space: Space, bytes: number): void {
    if (isShort({ ...space, free: space.free - promised - bytes })) throw lacksSpace(space, bytes);
  }

  function hold(bytes: number): SpaceClaim {
    let left = bytes;
    promised += left;
    const fulfil = (amount: number) => {
      promised -= amount;
      left -= amount;
    };
    return {
      async wrote(amount) {
        fulfil(Math.min(left, amount));
        const space = await disk.look();
        if (isShort(space)) throw lacksSpace(space);
      },
      release: () => fulfil(left),
    };
  }

  return {
    assert: async (bytes = 0) => admit(await disk.look(), bytes),
    claimed: () => promised,
    async claim(bytes) {
      const space = await disk.look();
      // No await between check and reservation: concurrent claims on one reading must see each
      // other.
      admit(space, bytes);
      return hold(bytes);
    },
    async claimSetAside(bytes) {
      const space = await disk.look();
      if (isShort({ ...space, free: space.free - bytes })) throw lacksSpace(space, bytes);
      return hold(bytes);
    },
  };
}
