/** One event stream for the whole page: changed jobs go into what is cached, counters to who shows them. */
import type { Job, ProgressView } from '@portcullis/contract';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ask, keyOf, open } from '../api/api.ts';
import type { Page } from '../api/client.ts';
import { isProblem } from '../api/problem-error.ts';
import type { ServerEvent } from './event-stream.ts';
import { type FeedState, keepListening } from './feed.ts';

type Gone = { job_id: string; deleted: true };
type Counters = { job_id: string; progress: ProgressView };
type JobPages = InfiniteData<Page<Job[]>>;

const listeners = new Set<() => void>();
const counters = new Map<string, ProgressView>();
let state: FeedState = 'connecting';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function useFeedState(): FeedState {
  return useSyncExternalStore(subscribe, () => state);
}

/** The newest counters of a job that runs. */
export function useProgress({ job_id, progress }: Pick<Job, 'job_id' | 'progress'>): ProgressView {
  return useSyncExternalStore(subscribe, () => counters.get(job_id)) ?? progress;
}

/** In the shell: as long as somebody is signed in. */
export function useLiveJobs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const gap = debounced(() => void refresh(queries));
    void keepListening({
      open: (lastId, signal) =>
        open('staging.streamEvents', { signal, headers: lastId ? { 'last-event-id': lastId } : {} }),
      onEvent: (event) => take(queries, event, gap),
      onState: (next) => {
        state = next;
        tell();
      },
      onGap: gap,
      signal: leaving.signal,
    });
    return () => leaving.abort();
  }, [queries]);
}

async function refresh(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: keyOf('staging.listJobs') }),
    queries.invalidateQueries({
      queryKey: keyOf('staging.getJob'),
      // Its page would be empty while it is asked for in vain again.
      predicate: ({ state: { error } }) => !isProblem(error, 'JOB_UNKNOWN'),
    }),
  ]);
}

function take(queries: QueryClient, { event, data }: ServerEvent, unknown: () => void): void {
  if (event === 'progress') {
    const { job_id, progress }: Counters = JSON.parse(data);
    counters.set(job_id, progress);
    tell();
  } else if (event === 'job') {
    takeJob(queries, JSON.parse(data), unknown);
  }
}

function takeJob(queries: QueryClient, job: Job | Gone, unknown: () => void): void {
  counters.delete(job.job_id);
  tell();
  if ('deleted' in job) {
    unknown();
  } else {
    replaceOne(queries, job);
    if (!replaceInLists(queries, job)) unknown();
  }
}

/** The event carries no findings: the page that shows them asks for them when the job went on. */
function replaceOne(queries: QueryClient, job: Job): void {
  const { queryKey } = ask('staging.getJob', { params: { job_id: job.job_id } });
  const known = queries.getQueryData(queryKey);
  if (!known) return;
  const findings = known.vuln_result?.vulnerabilities;
  const result = job.vuln_result && { ...job.vuln_result, ...(findings && { vulnerabilities: findings }) };
  queries.setQueryData(queryKey, { ...job, vuln_result: result });
  if (known.status !== job.status) void queries.invalidateQueries({ queryKey });
}

function replaceInLists(queries: QueryClient, job: Job): boolean {
  let found = false;
  queries.setQueriesData<JobPages>({ queryKey: keyOf('staging.listJobs') }, (pages) => {
    if (!pages) return pages;
    const swap = (each: Job) => {
      if (each.job_id !== job.job_id) return each;
      found = true;
      return job;
    };
    return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(swap) })) };
  });
  return found;
}

/** A burst of events is one question. */
function debounced(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, 250);
  };
}
