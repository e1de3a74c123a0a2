/** Starts one queue consumer for each stage that this worker runs. */
import type { Stage, StageQueue } from '@portcullis/domain';
import type { Consumer } from '@portcullis/queue';
import type { Part } from '@portcullis/runtime';
import { type HeldConsumer, pauseWhileHindered } from '../storage/hold.ts';
import { claimConsumer } from '../storage/storage.ts';
import type { MeasureStage } from './job-metrics.ts';
import type { RunStagePorts } from './run-stage.ts';
import { runStage } from './run-stage.ts';
import { createRunningSlots, type RunningSlots, shareSlots } from './running-slots.ts';
import { scanConsumer } from './scan-consumer.ts';
import { stagePorts } from './stage-ports.ts';
import type { WorkerParts } from './worker-parts.ts';

/** A slower job is preempted for any waiting account. */
const SLOW_BYTES_PER_SECOND = 64 * 1024;

/** Pushes don't wait for space: one to the built-in registry's disk checks it itself. */
const WAITS_FOR = {
  pull: ['disk', 'space'],
  scan: ['disk', 'space'],
  push: ['disk'],
} as const satisfies Record<Stage, HeldConsumer['waitsFor']>;

export interface StageConsumers extends Part {
  /** Fields of the heartbeat. */
  detail(): Record<string, unknown>;
}

export function stageConsumers(parts: WorkerParts, measure: MeasureStage): StageConsumers {
  const { config, queues, log, scannerService } = parts;
  const graceMs = config.WORKER_GRACE_SECONDS * 1000;
  const ports = stagePorts(parts);
  const running = new Map<Stage, Consumer>();

  /** Any worker may pull; scans and pushes need the storage that has the image. */
  const queueOfStage = (stage: Stage): StageQueue => ({
    stage,
    storageId: stage === 'pull' ? null : parts.storage.id,
  });

  function consume(stage: Stage, slots?: RunningSlots): Consumer {
    const handler = (jobId: string, signal: AbortSignal) =>
      measure(stage, ports, (measured) => {
        const run = (given: RunStagePorts) => runStage(stage, jobId, signal, given);
        return slots ? slots.take(jobId, measured, run) : run(measured);
      });
    const consumer = queues.consume(queueOfStage(stage), handler, {
      concurrency: config.WORKER_CONCURRENCY[stage],
    });
    running.set(stage, consumer);
    return consumer;
  }

  /** Pulls and pushes wait for other hosts, so accounts share their slots. */
  function fairConsumer(stage: Stage): Part {
    const slots = createRunningSlots(() => performance.now());
    const concurrency = config.WORKER_CONCURRENCY[stage];
    const minRunMs = config.PLACE_KEPT_SECONDS * 1000;
    const rule = { minRunMs, slowBytesPerSecond: SLOW_BYTES_PER_SECOND, resumes: stage === 'pull' };
    let sharing: Part | null = null;
    return {
      start() {
        const consumer = consume(stage, slots);
        const { jobs } = parts.store;
        sharing = shareSlots({
          queue: queueOfStage(stage),
          slots,
          concurrency,
          rule,
          consumer,
          queues,
          jobs,
          log,
        });
        return sharing.start?.();
      },
      async stop() {
        await sharing?.stop?.();
        await running.get(stage)?.stop(graceMs);
      },
    };
  }

  function part(stage: Stage): Part {
    if (stage === 'scan') {
      const { answerable } = scannerService;
      return scanConsumer({
        answerable,
        consume: () => consume(stage),
        everyMs: 2_000,
        graceMs,
        log,
      });
    }
    return fairConsumer(stage);
  }

  const claims = config.WORKER_STAGES.filter((stage) => stage !== 'pull').map((stage) =>
    claimConsumer(stage, parts),
  );
  const holdConsumers = (): HeldConsumer[] => [
    ...[...running].map(([stage, consumer]) => ({
      consumer,
      waitsFor: WAITS_FOR[stage],
    })),
    ...claims.flatMap(({ started }) =>
      [...started()].map((consumer) => ({ consumer, waitsFor: ['disk'] as const })),
    ),
  ];
  const { pulls, probe } = parts;
  const looks = {
    disk: async () => (await probe.fault()) !== null,
    space: pulls.isShort,
  };
  const holding = pauseWhileHindered({ looks, consumers: holdConsumers, log });
  const consumers = [...config.WORKER_STAGES.map(part), ...claims, holding];
  return {
    async start() {
      for (const consumer of consumers) await consumer.start?.();
    },
    async stop() {
      // All at once, so that each consumer has the whole grace period.
      await Promise.all(consumers.map((consumer) => consumer.stop?.()));
    },
    detail: () => ({
      stages: config.WORKER_STAGES,
      running: Object.fromEntries(
        [...running].map(([stage, consumer]) => [stage, consumer.running()]),
      ),
      ...probe.last(),
    }),
  };
}
