/** One consumer for each stage this worker takes. */
import type { Stage } from '@portcullis/domain';
import type { Consumer } from '@portcullis/queue';
import type { Part } from '@portcullis/runtime';
import type { MeasureStage } from './job-metrics.ts';
import { runStage } from './run-stage.ts';
import { scanConsumer } from './scan-consumer.ts';
import { type StageParts, stagePorts } from './stage-ports.ts';

export interface StageConsumers extends Part {
  /** For the heartbeat. */
  detail(): Record<string, unknown>;
}

export function stageConsumers(parts: StageParts, measure: MeasureStage): StageConsumers {
  const { config, queues, log, scanDesk } = parts;
  const graceMs = config.WORKER_GRACE_SECONDS * 1000;
  const ports = stagePorts(parts);
  const running = new Map<Stage, Consumer>();

  function consume(stage: Stage): Consumer {
    const handler = (jobId: string, signal: AbortSignal) =>
      measure(stage, ports, (measured) => runStage(stage, jobId, signal, measured));
    const consumer = queues.consume(stage, handler, { concurrency: config.WORKER_CONCURRENCY[stage] });
    running.set(stage, consumer);
    return consumer;
  }

  function part(stage: Stage): Part {
    if (stage === 'scan') {
      const { answerable } = scanDesk;
      return scanConsumer({ answerable, consume: () => consume(stage), everyMs: 2_000, graceMs, log });
    }
    return { start: () => void consume(stage), stop: () => running.get(stage)?.stop(graceMs) };
  }

  const consumers = config.WORKER_STAGES.map(part);
  return {
    async start() {
      for (const consumer of consumers) await consumer.start?.();
    },
    async stop() {
      // Together: each has the whole grace time.
      await Promise.all(consumers.map((consumer) => consumer.stop?.()));
    },
    detail: () => ({
      stages: config.WORKER_STAGES,
      running: Object.fromEntries([...running].map(([stage, consumer]) => [stage, consumer.running()])),
    }),
  };
}
