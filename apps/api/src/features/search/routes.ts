import { contract, type SearchResults } from '@portcullis/contract';
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

function present({ images, jobs, vulnerabilities, folders, people }: Found): SearchResults {
  return {
    images: images.map(({ name, folder, tagCount }) => ({
      repository: name,
      folder,
      tag_count: tagCount,
    })),
    jobs: jobs.map(({ id, createdAt, ...job }) => ({
      job_id: id,
      ...job,
      created_at: createdAt.toISOString(),
    })),
    vulnerabilities,
    folders,
    people,
  };
}
