import { contract } from '@portcullis/contract';
import { isBlocked } from '@portcullis/domain';
import { implement, type Route } from '../../http/implement.ts';
import type { SearchService } from './service.ts';

export function searchRoutes(service: SearchService): Route[] {
  return implement(contract.search, {
    async searchAll({ query: { q } }, call) {
      return present(await service.all(call.principal, q));
    },
  });
}

type Found = Awaited<ReturnType<SearchService['all']>>;

function present({ images, jobs, ...rest }: Found) {
  return {
    ...rest,
    images: images.map(({ name, ...image }) => ({ ...image, repository: name })),
    jobs: jobs.map((job) => ({ ...job, jobId: job.id, blocked: isBlocked(job) })),
  };
}
