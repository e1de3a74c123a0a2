/** Pauses consumers while work can't write to DATA_DIR. Jobs stay in their queue. */
import type { Consumer } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';
import type { DiskProbe } from './disk-probe.ts';
import type { WorkSpace } from './space.ts';

/** `space`: less than the reserve is free. `disk`: nothing can be written at all. */
type Hindrance = 'space' | 'disk';

export interface HeldConsumer {
  consumer: Pick<Consumer, 'pause' | 'resume'>;
  /** What the consumer waits for. */
  waitsFor: readonly Hindrance[];
}

export interface HoldPorts {
  space: Pick<WorkSpace, 'isShort'>;
  probe: Pick<DiskProbe, 'fault'>;
  /** The consumers that were started. */
  consumers(): Iterable<HeldConsumer>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 2_000;

const WORDS: Record<Hindrance, string> = {
  space: 'space is short: pulls and scans wait',
  disk: 'this worker cannot write to its DATA_DIR: it takes no jobs',
};

export function pauseWhileHindered({ space, probe, consumers, log }: HoldPorts): Part {
  let present: Hindrance | null = null;
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function hindrance(): Promise<Hindrance | null> {
    if (await space.isShort()) return 'space';
    return (await probe.fault()) === null ? null : 'disk';
  }

  async function look(): Promise<void> {
    const found = await hindrance();
    if (found !== null && found !== present) log.warn({ waitsFor: found }, WORDS[found]);
    if (found === null && present !== null) log.info({ was: present }, 'jobs are taken again');
    present = found;
    for (const { consumer, waitsFor } of consumers()) {
      if (found !== null && waitsFor.includes(found)) await consumer.pause();
      else consumer.resume();
    }
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
