/** Writes changed jobs into the cached lists, transfers and single jobs. */
import type { Job, TransferDetail } from '@portcullis/contract';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { ask, keyOf } from '../api/api.ts';
import type { AnswerPage } from '../api/client.ts';

export type ChangedJobs = ReadonlyMap<string, Job>;
type JobPages = InfiniteData<AnswerPage<Job[]>>;
type TransferPages = InfiniteData<AnswerPage<TransferDetail>>;

/** False if a job is in no cached list: a list may be missing it. */
export function putJobs(queries: QueryClient, jobs: ChangedJobs): boolean {
  const listed = new Set<string>();
  for (const job of jobs.values()) replaceOne(queries, job);
  queries.setQueriesData<JobPages>({ queryKey: keyOf('staging.listJobs') }, (known) =>
    inPages(known, (items) => swapped(items, jobs, listed)),
  );
  queries.setQueriesData<TransferPages>({ queryKey: keyOf('transfers.getTransfer') }, (known) =>
    inPages(known, (transfer) => {
      const swaps = swapped(transfer.jobs, jobs, new Set());
      return swaps === transfer.jobs ? transfer : { ...transfer, jobs: swaps };
    }),
  );
  return listed.size === jobs.size;
}

/** Events carry no findings: a job whose status changed is refetched. */
function replaceOne(queries: QueryClient, job: Job): void {
  const { queryKey } = ask('staging.getJob', { params: { job_id: job.job_id } });
  const known = queries.getQueryData(queryKey);
  if (!known) return;
  const findings = known.vuln_result?.vulnerabilities;
  const result = job.vuln_result && {
    ...job.vuln_result,
    ...(findings && { vulnerabilities: findings }),
  };
  queries.setQueryData(queryKey, { ...job, vuln_result: result });
  if (known.status !== job.status) void queries.invalidateQueries({ queryKey });
}

/** Unchanged objects keep their identity, so that they are not rendered again. */
function inPages<T>(
  known: InfiniteData<AnswerPage<T>> | undefined,
  change: (items: T) => T,
): InfiniteData<AnswerPage<T>> | undefined {
  // A single page of a transfer is also queried alone, for its counts.
  if (!known || !('pages' in known)) return known;
  const pages = known.pages.map((page) => {
    const items = change(page.items);
    return items === page.items ? page : { ...page, items };
  });
  return pages.every((page, index) => page === known.pages[index]) ? known : { ...known, pages };
}

function swapped(list: Job[], jobs: ChangedJobs, seen: Set<string>): Job[] {
  if (!list.some(({ job_id }) => jobs.has(job_id))) return list;
  return list.map((each) => {
    const changed = jobs.get(each.job_id);
    if (changed) seen.add(each.job_id);
    return changed ?? each;
  });
}
