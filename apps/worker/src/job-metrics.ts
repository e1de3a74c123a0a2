/** Stages as Prometheus counts them: how long, to what end, and how many bytes were moved, and how many not. */
import type { Outcome, Stage } from '@portcullis/domain';
import type { Metrics } from '@portcullis/runtime';
import type { RunStagePorts } from './ports.ts';

const SECONDS = [0.5, 2, 5, 15, 60, 300, 900, 3600];

/** `passed_on`: there was nothing to do, or another worker has it. */
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

  return async (stage, ports, run) => {
    const began = now();
    let end: End = 'broken';
    const publish: RunStagePorts['publish'] = async (of, job, outcome) => {
      if (outcome) {
        end = outcome.kind;
        const { bytesDone, bytesReused } = job.progress;
        const mounted = stage === 'push' ? (job.pushes.at(-1)?.bytesMounted ?? 0) : 0;
        if (stage !== 'scan') {
          bytes.add({ stage, how: 'reused' }, bytesReused);
          bytes.add({ stage, how: 'mounted' }, mounted);
          bytes.add({ stage, how: 'moved' }, Math.max(0, bytesDone - bytesReused - mounted));
        }
      }
      await ports.publish(of, job, outcome);
    };
    try {
      await run({ ...ports, publish });
      if (end === 'broken') end = 'passed_on';
    } finally {
      seconds.observe({ stage, outcome: end }, (now() - began) / 1000);
    }
  };
}
