/** Disk space for jobs: no write is started or continued that would leave less than the reserve. */
import type { SpaceClaims } from '@portcullis/oci/layout';
import type { Consumer } from '@portcullis/queue';
import {
  type DiskSpace,
  isShort,
  type Logger,
  lacksSpace,
  type Part,
  type Space,
} from '@portcullis/runtime';

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

export interface PauseWhileShortPorts {
  space: Pick<WorkSpace, 'isShort'>;
  /** The consumers that were started. */
  consumers(): Iterable<Pick<Consumer, 'pause' | 'resume'>>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 2_000;

/** Pauses these consumers while space is short. Jobs stay in their queue. */
export function pauseWhileShort({ space, consumers, log }: PauseWhileShortPorts): Part {
  let held = false;
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const short = await space.isShort();
    if (short && !held) log.warn({ short }, 'space is short: pulls and scans wait');
    if (!short && held) log.info({ short }, 'there is space again');
    held = short;
    for (const consumer of consumers()) await (short ? consumer.pause() : consumer.resume());
  }

  const again = () => {
    looking = looking
      .then(look)
      .catch((err: unknown) => log.warn({ err }, 'the free space of the disk is not known'));
    return looking;
  };
  return {
    async start() {
      await again();
      timer = setInterval(again, LOOK_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
