import { NO_PROGRESS, type Outcome, type StagingJob } from '@portcullis/domain';
import { createMetrics } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import { measureStages } from './job-metrics.ts';
import type { RunStagePorts } from './run-stage.ts';

function measured() {
  const metrics = createMetrics({ defaults: false });
  let clock = 0;
  const measure = measureStages(metrics, () => clock);
  const outcomes: (Outcome | null)[] = [];
  const ports = {
    publish: async (_stage: unknown, _job: unknown, outcome: Outcome | null) =>
      void outcomes.push(outcome),
  } as unknown as RunStagePorts;
  return { metrics, measure, ports, outcomes, pass: (ms: number) => (clock += ms) };
}

const job = {
  progress: { ...NO_PROGRESS, bytesDone: 100, bytesReused: 30 },
  pushes: [{ bytesMounted: 20 }],
} as unknown as StagingJob;

it('a stage is counted with its duration, its outcome, and the bytes that it moved and reused', async () => {
  const { metrics, measure, ports, outcomes, pass } = measured();
  await measure('push', ports, async ({ publish }) => {
    await publish('push', job, null);
    pass(3_000);
    await publish('push', job, { kind: 'pushed', digest: 'd', bytesMounted: 20 });
  });
  const text = await metrics.render();
  expect(text).toContain('portcullis_job_stage_seconds_sum{stage="push",outcome="pushed"} 3');
  for (const [how, bytes] of Object.entries({ moved: 50, reused: 30, mounted: 20 }))
    expect(text).toContain(`portcullis_job_bytes_total{stage="push",how="${how}"} ${bytes}`);
  expect(outcomes).toHaveLength(2);
});

it('a stage with nothing to do and a failed one are counted as such', async () => {
  const { metrics, measure, ports } = measured();
  await measure('pull', ports, async () => {});
  await expect(
    measure('pull', ports, async () => {
      throw new Error('the database is away');
    }),
  ).rejects.toThrow();
  const text = await metrics.render();
  expect(text).toContain('portcullis_job_stage_seconds_count{stage="pull",outcome="passed_on"} 1');
  expect(text).toContain('portcullis_job_stage_seconds_count{stage="pull",outcome="broken"} 1');
});
