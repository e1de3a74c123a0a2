/**
 * The running places of this worker's pulls and pushes. It notes whose job is on each and how fast that is, and hands a
 * job back to the queue where the rule says that its account has to make room (packages/domain/src/pipeline/running-slots.ts).
 */
import {
  type PlaceRule,
  placeToGiveUp,
  type RunningJob,
  type StageQueue,
} from '@portcullis/domain';
import type { Consumer, Queues } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { RunStagePorts } from './ports.ts';

export interface Places {
  /** Runs a stage on a place, whose job and progress it learns from the ports. */
  take(
    jobId: string,
    ports: RunStagePorts,
    run: (ports: RunStagePorts) => Promise<void>,
  ): Promise<void>;
  running(keptMs: number): RunningJob[];
}

interface Place {
  ownerId: string | null;
  since: number;
  bytesDone: number;
  /** Bytes at earlier looks, oldest first. */
  samples: { at: number; bytesDone: number }[];
}

export function createPlaces(now: () => number): Places {
  const places = new Map<string, Place>();
  return {
    async take(jobId, ports, run) {
      const place: Place = { ownerId: null, since: now(), bytesDone: 0, samples: [] };
      places.set(jobId, place);
      const publish: RunStagePorts['publish'] = async (stage, job, outcome) => {
        place.ownerId = job.ownerId;
        await ports.publish(stage, job, outcome);
      };
      const publishProgress: RunStagePorts['publishProgress'] = async (job) => {
        place.bytesDone = job.progress.bytesDone;
        await ports.publishProgress(job);
      };
      try {
        await run({ ...ports, publish, publishProgress });
      } finally {
        if (places.get(jobId) === place) places.delete(jobId);
      }
    },
    running: (keptMs) =>
      [...places].flatMap(([id, place]) => {
        const { ownerId, since } = place;
        const bytesPerSecond = rateOf(place, now(), keptMs);
        return ownerId === null ? [] : [{ id, ownerId, forMs: now() - since, bytesPerSecond }];
      }),
  };
}

/** Over the last `windowMs`, as far back as there was a look. */
function rateOf({ samples, bytesDone, since }: Place, at: number, windowMs: number): number {
  while ((samples[1]?.at ?? at) <= at - windowMs) samples.shift();
  const oldest = samples[0] ?? { at: since, bytesDone: 0 };
  samples.push({ at, bytesDone });
  return (Math.max(0, bytesDone - oldest.bytesDone) * 1000) / Math.max(1, at - oldest.at);
}

export interface FairPlacesPorts {
  queue: StageQueue;
  places: Places;
  concurrency: number;
  rule: PlaceRule;
  consumer: Pick<Consumer, 'running' | 'makeRoom'>;
  queues: Pick<Queues, 'waiting'>;
  jobs: Pick<Store['jobs'], 'owners'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 1_000;
/** Entries of the queue that are looked at: behind these, others have to run first anyway. */
const LOOKED_AT = 100;

/** Looks each second whether a place has to change hands. */
export function fairPlaces(ports: FairPlacesPorts): Part {
  const { queue, places, concurrency, rule, consumer, queues, jobs, log } = ports;
  const { stage } = queue;
  const leaving = new Set<string>();
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const running = places.running(rule.keptMs);
    for (const id of leaving) if (!running.some((job) => job.id === id)) leaving.delete(id);
    // The place of one that is leaving is not taken yet: what waits may be content with that.
    if (leaving.size > 0 || consumer.running() < concurrency) return;
    const owners = await jobs.owners(await queues.waiting(queue, LOOKED_AT));
    const given = placeToGiveUp(running, [...owners.values()], rule);
    if (!given) return;
    log.info(
      { job: given.id, stage, rate: Math.round(given.bytesPerSecond) },
      'a job makes room for others',
    );
    leaving.add(given.id);
    consumer.makeRoom(given.id);
  }

  const again = () => {
    looking = looking.then(look).catch((err: unknown) => {
      log.warn({ err, stage }, 'whether a place has to change hands is not known');
    });
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(again, LOOK_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
