import { contract, type ProcessState, type QueueState } from '@portcullis/contract';
import type { QueueDepth } from '@portcullis/queue';
import { implement, type Route } from '../../http/implement.ts';
import type { ProcessFacts, ProcessService } from './service.ts';

export function processRoutes(service: ProcessService): Route[] {
  return implement(contract.processes, {
    async listProcesses() {
      return (await service.processes()).map(presentProcess);
    },

    async listQueues() {
      return (await service.queues()).map(presentQueue);
    },
  });
}

function presentProcess({ startedAt, seenAt, ...facts }: ProcessFacts): ProcessState {
  return { ...facts, started_at: startedAt, seen_at: seenAt };
}

function presentQueue({
  queue,
  waiting,
  delayed,
  running,
  failed,
  oldestAgeMs,
}: QueueDepth): QueueState {
  return {
    queue,
    depth: waiting + delayed,
    delayed,
    running,
    failed,
    oldest_age_s: oldestAgeMs === null ? null : Math.round(oldestAgeMs / 1000),
  };
}
