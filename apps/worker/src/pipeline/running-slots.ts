/**
 * The running slots of this worker's pulls and pushes. Each second it measures the transfer rate of
 * each job and applies the preemption rule (packages/domain/src/pipeline/running-slots.ts).
 */
import {
  jobToPreempt,
  type PreemptionRule,
  type RunningJob,
  type StageQueue,
} from '@portcullis/domain';
import type { Consumer, Queues } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { RunStagePorts } from './run-stage.ts';

export interface RunningSlots {
  /** Runs a stage in a slot, and learns its owner and its progress from the ports. */
  take(
    jobId: string,
    ports: RunStagePorts,
    run: (ports: RunStagePorts) => Promise<void>,
  ): Promise<void>;
  /** Records the bytes of each job as of now, and drops samples that are older than the window. */
  sample(windowMs: number): void;
  running(): RunningJob[];
}

interface Sample {
  at: number;
  bytesDone: number;
}

interface Slot {
  ownerId: string | null;
  since: number;
  bytesDone: number;
  /** Oldest first. */
  samples: readonly Sample[];
}

export function createRunningSlots(now: () => number): RunningSlots {
  const slots = new Map<string, Slot>();
  return {
    async take(jobId, ports, run) {
      const since = now();
      const samples = [{ at: since, bytesDone: 0 }];
      const slot: Slot = { ownerId: null, since, bytesDone: 0, samples };
      slots.set(jobId, slot);
      const publish: RunStagePorts['publish'] = async (stage, job, outcome) => {
        slot.ownerId = job.ownerId;
        await ports.publish(stage, job, outcome);
      };
      const publishProgress: RunStagePorts['publishProgress'] = async (job) => {
        slot.bytesDone = job.progress.bytesDone;
        await ports.publishProgress(job);
      };
      try {
        await run({ ...ports, publish, publishProgress });
      } finally {
        if (slots.get(jobId) === slot) slots.delete(jobId);
      }
    },
    sample(windowMs) {
      for (const slot of slots.values()) slot.samples = sampled(slot, now(), windowMs);
    },
    running: () =>
      [...slots].flatMap(([id, { ownerId, since, bytesDone, samples }]) => {
        if (ownerId === null) return [];
        const bytesPerSecond = rateSince(samples[0] ?? { at: since, bytesDone: 0 }, {
          at: now(),
          bytesDone,
        });
        return [{ id, ownerId, forMs: now() - since, bytesPerSecond }];
      }),
  };
}

/** Keeps the newest sample that is at least as old as the window, so that rates cover all of it. */
function sampled({ samples, bytesDone }: Slot, at: number, windowMs: number): Sample[] {
  const first = samples.findLastIndex((sample) => sample.at <= at - windowMs);
  return [...samples.slice(Math.max(0, first)), { at, bytesDone }];
}

function rateSince(from: Sample, to: Sample): number {
  return (Math.max(0, to.bytesDone - from.bytesDone) * 1000) / Math.max(1, to.at - from.at);
}

export interface ShareSlotsPorts {
  queue: StageQueue;
  slots: RunningSlots;
  concurrency: number;
  rule: PreemptionRule;
  consumer: Pick<Consumer, 'running' | 'preempt'>;
  queues: Pick<Queues, 'waiting'>;
  jobs: Pick<Store['jobs'], 'owners'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 1_000;
/** Waiting jobs that are considered; those behind them have to wait for these anyway. */
const LOOKED_AT = 100;

/** Preempts a job where another account waits and the rule says so. */
export function shareSlots(ports: ShareSlotsPorts): Part {
  const { queue, slots, concurrency, rule, consumer, queues, jobs, log } = ports;
  const { stage } = queue;
  const leaving = new Set<string>();
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    slots.sample(rule.minRunMs);
    const running = slots.running();
    for (const id of leaving) if (!running.some((job) => job.id === id)) leaving.delete(id);
    // The slot of a preempted job is not taken yet, and may be all that the waiting jobs need.
    if (leaving.size > 0 || consumer.running() < concurrency) return;
    const owners = await jobs.owners(await queues.waiting(queue, LOOKED_AT));
    const preempted = jobToPreempt(running, [...owners.values()], rule);
    if (!preempted) return;
    log.info(
      { job: preempted.id, stage, rate: Math.round(preempted.bytesPerSecond) },
      'a job is preempted',
    );
    leaving.add(preempted.id);
    consumer.preempt(preempted.id);
  }

  const again = () => {
    looking = looking.then(look).catch((err: unknown) => {
      log.warn({ err, stage }, 'running slots could not be checked');
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
