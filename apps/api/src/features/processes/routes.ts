import { contract } from '@portcullis/contract';
import type { QueueDepth } from '@portcullis/queue';
import { implement, type Route } from '../../http/implement.ts';
import type { ProcessService } from './service.ts';

export function processRoutes(service: ProcessService): Route[] {
  return implement(contract.processes, {
    listProcesses: () => service.processes(),

    async listQueues() {
      return (await service.queues()).map(presentQueue);
    },
  });
}

function presentQueue({ oldestAgeMs, ...queue }: QueueDepth) {
  return {
    ...queue,
    depth: queue.waiting + queue.delayed,
    oldestAgeS: oldestAgeMs === null ? null : Math.round(oldestAgeMs / 1000),
  };
}
