/**
 * Prometheus metrics of stages: duration by outcome, and bytes that were moved, mounted or reused.
 */
import type { Outcome, Stage, StagingJob } from '@portcullis/domain';
import type { Metrics } from '@portcullis/runtime';
import type { RunStagePorts } from './run-stage.ts';

const SECONDS = [0.5, 2, 5, 15, 60, 300, 900, 3600];

/** `passed_on`: there was nothing to do, or another worker has the job. */
type End = Outcome['kind'] | 'passed_on' | 'broken';

export type MeasureStage = (
  stage: Stage,
  ports: RunStagePorts,
  run: (ports: RunStagePorts) => Promise<void>,
) => Promise<void>;

export function measureStages(metrics: Metrics, now: () => number): MeasureStage {
  const seconds = metrics.histogram('job_stage_seconds', 'Duration of a stage of a job', {
    labels: ['stage', 'outcome'],
    buckets: SECONDS,
  });
  const bytes = metrics.counter('job_bytes_total', 'Bytes of images', ['stage', 'how']);

  function countBytes(stage: Stage, { progress, pushes }: StagingJob): void {
    if (stage === 'scan') return;
    const { bytesDone, bytesReused } = progress;
    const mounted = stage === 'push' ? (pushes.at(-1)?.bytesMounted ?? 0) : 0;
    bytes.add({ stage, how: 'reused' }, bytesReused);
    bytes.add({ stage, how: 'mounted' }, mounted);
    bytes.add({ stage, how: 'moved' }, Math.max(0, bytesDone - bytesReused - mounted));
  }

  return async (stage, ports, run) => {
    let began = now();
    let running: Stage | null = stage;
    const countEnd = (of: Stage, outcome: End) => {
      seconds.observe({ stage: of, outcome }, (now() - began) / 1000);
      began = now();
    };
    const publish: RunStagePorts['publish'] = async (of, job, outcome) => {
      if (outcome) {
        countEnd(of, outcome.kind);
        countBytes(of, job);
      }
      running = outcome ? null : of;
      await ports.publish(of, job, outcome);
    };
    let end: End = 'broken';
    try {
      await run({ ...ports, publish });
      end = 'passed_on';
    } finally {
      if (running) countEnd(running, end);
    }
  };
}
