/** Disk space for jobs: no write is started or continued that would leave less than the reserve. */
import type { SpaceClaims } from '@portcullis/oci/layout';
import { type DiskSpace, isShort, lacksSpace, type Space } from '@portcullis/runtime';

export interface WorkSpace extends SpaceClaims {
  /** Whether less than the reserve is free. */
  isShort(): Promise<boolean>;
  /** @throws as `lacksSpace`, where less than the reserve would be left */
  assert(bytes?: number): Promise<void>;
}

export function workSpace(disk: Pick<DiskSpace, 'look'>): WorkSpace {
  /** Bytes of running writes that are not on the disk yet. */
  let promised = 0;

  function admit(space: Space, bytes: number): void {
    if (isShort({ ...space, free: space.free - promised - bytes })) throw lacksSpace(space, bytes);
  }

  return {
    assert: async (bytes = 0) => admit(await disk.look(), bytes),
    isShort: async () => isShort(await disk.look()),
    async claim(bytes) {
      const space = await disk.look();
      // No await between check and reservation: concurrent claims on one reading must see each
      // other.
      admit(space, bytes);
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
    },
  };
}
