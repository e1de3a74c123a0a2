/** The span of a stage: the same facts as its log line. */
import type { Stage, StagingJob } from '@portcullis/domain';
import type { OpenSpan, SpanOrder } from '@portcullis/runtime';
import type { stageLine } from './stage-line.ts';

export function stageSpan({ stage, job }: { stage: Stage; job: StagingJob }): SpanOrder {
  const attributes = {
    'portcullis.job.id': job.id,
    'portcullis.transfer.id': job.transferId,
    'portcullis.request.id': job.requestId,
    'portcullis.attempt': job.attempts,
  };
  return { name: stage, kind: 'consumer', attributes };
}

export function noteStage(span: OpenSpan | null, line: ReturnType<typeof stageLine>): void {
  if (!span) return;
  span.note({
    'portcullis.image': line.image,
    'portcullis.outcome': line.outcome,
    'portcullis.waited_ms': line.waited_ms,
    'portcullis.bytes': line.bytes,
    'portcullis.bytes_reused': line.bytes_reused,
  });
  if (line.code !== undefined) span.fail(line.code);
}
