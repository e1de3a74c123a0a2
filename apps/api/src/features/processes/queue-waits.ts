/** How long jobs have waited, by their rows: each attempt makes another entry of the queue. */
import { type WaitReason, waitReason } from '@portcullis/domain';
import type { QueueDepth } from '@portcullis/queue';
import type { JobWaits } from '@portcullis/store';

/** The depths, with the ages of the jobs that wait longest, however often they were put off. */
export function withWaits(depths: readonly QueueDepth[], waits: readonly JobWaits[]): QueueDepth[] {
  return depths.map((depth) => {
    const ages = waits.filter(({ stage }) => stage === depth.queue).map(({ oldestMs }) => oldestMs);
    if (depth.oldestAgeMs !== null) ages.push(depth.oldestAgeMs);
    return { ...depth, oldestAgeMs: ages.length > 0 ? Math.max(...ages) : null };
  });
}

export interface PutOffJobs {
  count: number;
  oldestMs: number;
}

/** Jobs that were put off, by what they wait for. */
export function waitingFor(waits: readonly JobWaits[]): Record<WaitReason, PutOffJobs> {
  const of = (reason: WaitReason): PutOffJobs => {
    const found = waits.filter(
      ({ code, side }) => code !== null && waitReason({ code, side }) === reason,
    );
    return {
      count: found.reduce((sum, { count }) => sum + count, 0),
      oldestMs: Math.max(0, ...found.map(({ oldestMs }) => oldestMs)),
    };
  };
  return { disk: of('disk'), registry: of('registry'), other: of('other') };
}
