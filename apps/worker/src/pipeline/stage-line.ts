/** What the log says of a stage that ended. */
import { type Outcome, type Stage, type StagingJob, stageTimes } from '@portcullis/domain';

export function stageLine(stage: Stage, job: StagingJob, outcome: Outcome) {
  const run = stageTimes(job.timeline).findLast((each) => each.stage === stage);
  const { bytesDone, bytesReused } = job.progress;
  return {
    job: job.id,
    ...(job.transferId !== null && { transfer: job.transferId }),
    ...(job.requestId !== null && { request_id: job.requestId }),
    stage,
    image: `${job.source.host}/${job.image}:${job.tag}`,
    outcome: outcome.kind,
    waited_ms: run?.waitedMs ?? null,
    worked_ms: run?.workedMs ?? null,
    // A scan moves nothing.
    ...(stage !== 'scan' && { bytes: bytesDone, bytes_reused: bytesReused }),
    ...('error' in outcome && { code: outcome.error.code }),
  };
}
