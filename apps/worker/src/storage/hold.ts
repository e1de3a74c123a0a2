/** Pauses consumers while work can't write to DATA_DIR. Jobs stay in their queue. */
import type { Consumer } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';

/** `disk`: nothing can be written at all. `space`: less than the reserve is free. */
const HINDRANCES = ['disk', 'space'] as const;
type Hindrance = (typeof HINDRANCES)[number];

export interface HeldConsumer {
  consumer: Pick<Consumer, 'pause' | 'resume'>;
  /** What the consumer waits for. */
  waitsFor: readonly Hindrance[];
}

export interface HoldPorts {
  /** Whether work is hindered so now. */
  looks: Record<Hindrance, () => Promise<boolean>>;
  /** The consumers that were started. */
  consumers(): Iterable<HeldConsumer>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 2_000;

const WORDS: Record<Hindrance, string> = {
  disk: 'this worker cannot write to its DATA_DIR: it takes no jobs',
  space: 'space is short: pulls and scans wait',
};

export function pauseWhileHindered({ looks, consumers, log }: HoldPorts): Part {
  let present: Hindrance[] = [];
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const found: Hindrance[] = [];
    for (const each of HINDRANCES) if (await looks[each]()) found.push(each);
    const [worst] = found;
    if (worst !== undefined && worst !== present[0]) log.warn({ waitsFor: found }, WORDS[worst]);
    if (worst === undefined && present.length > 0)
      log.info({ was: present }, 'jobs are taken again');
    present = found;
    for (const { consumer, waitsFor } of consumers()) {
      if (found.some((each) => waitsFor.includes(each))) await consumer.pause();
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
