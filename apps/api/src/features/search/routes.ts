import { contract, type SearchResults } from '@portcullis/contract';
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

function present({ images, jobs, vulnerabilities, folders, people }: Found): SearchResults {
  return {
    images: images.map(({ name, folder, tagCount }) => ({
      repository: name,
      folder,
      tag_count: tagCount,
    })),
    jobs: jobs.map((job) => ({
      job_id: job.id,
      image: job.image,
      tag: job.tag,
      status: job.status,
      verdict: job.verdict,
      blocked: isBlocked(job),
      created_at: job.createdAt.toISOString(),
    })),
    vulnerabilities,
    folders,
    people,
  };
}
