/** The page's event stream: updates the cached jobs and the progress counters. */
import type { Job, JobEvent, JobEvents, ProgressView } from '@portcullis/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { EventSourceMessage } from 'eventsource-parser';
import { useEffect, useSyncExternalStore } from 'react';
import { keyOf, open } from '../api/api.ts';
import { isProblem } from '../api/problem-error.ts';
import { isTransient } from '../api/query-client.ts';
import { type FeedState, followFeed } from './feed.ts';
import { putJobs } from './job-cache.ts';
import { refetchLists } from './refetch-lists.ts';

type ChangedJob = JobEvents['job'];

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

/** The latest progress of a running job. */
export function useProgress({ job_id, progress }: Pick<Job, 'job_id' | 'progress'>): ProgressView {
  return useSyncExternalStore(subscribe, () => counters.get(job_id)) ?? progress;
}

/** Called by the shell, for the duration of a session. */
export function useLiveJobs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const unknown = debounced(() => void refresh(queries));
    const notified = debounced(() => void refreshNotified(queries));
    const changed = gathered((batch) => takeJobs(queries, batch, unknown));
    const take = taking(changed, notified);
    void followFeed({
      open: (lastId, signal) =>
        open('staging.streamEvents', {
          signal,
          headers: lastId ? { 'last-event-id': lastId } : {},
        }),
      onEvent: take,
      onState: (next) => {
        state = next;
        tell();
      },
      onGap() {
        unknown();
        notified();
        void queries.invalidateQueries({ queryKey: keyOf('transfers.getTransfer') });
      },
      onReconnected: () => void refetchFailed(queries),
      signal: leaving.signal,
    });
    return () => leaving.abort();
  }, [queries]);
}

async function refresh(queries: QueryClient): Promise<void> {
  await Promise.all([
    refetchLists(queries, keyOf('staging.listJobs')),
    queries.invalidateQueries({
      queryKey: keyOf('staging.getJob'),
      // The page of a deleted job would flicker while it is refetched in vain.
      predicate: ({ state: { error } }) => !isProblem(error, 'JOB_UNKNOWN'),
    }),
  ]);
}

/** A notification tells of jobs, and of reviews that were requested or decided. */
async function refreshNotified(queries: QueryClient): Promise<void> {
  const lists = ['notifications.listNotifications', 'reviews.list', 'waivers.list'] as const;
  const others = ['reviews.get', 'reviews.count'] as const;
  await Promise.all([
    refresh(queries),
    ...lists.map((name) => refetchLists(queries, keyOf(name))),
    ...others.map((name) => queries.invalidateQueries({ queryKey: keyOf(name) })),
  ]);
}

function taking(
  changed: (job: ChangedJob) => void,
  notified: () => void,
): (event: EventSourceMessage) => void {
  return (sent) => {
    const message = jobEvent(sent);
    if (message?.event === 'progress') {
      counters.set(message.data.job_id, message.data.progress);
      tell();
    } else if (message?.event === 'notifications') notified();
    else if (message) changed(message.data);
  };
}

/** Null for an event of a newer server. */
function jobEvent({ event, data }: EventSourceMessage): JobEvent | null {
  const isKnown = event === 'job' || event === 'progress' || event === 'notifications';
  return isKnown ? { event, data: JSON.parse(data) } : null;
}

/** Applies a batch of changed jobs in one render. */
function takeJobs(queries: QueryClient, batch: Map<string, ChangedJob>, unknown: () => void): void {
  const changed = new Map<string, Job>();
  for (const [id, job] of batch) {
    counters.delete(id);
    if (!('deleted' in job)) changed.set(id, job);
  }
  tell();
  const known = putJobs(queries, changed);
  if (!known || changed.size < batch.size) unknown();
}

/** Batches events of 100 ms; the last event of a job wins. */
function gathered(run: (batch: Map<string, ChangedJob>) => void): (job: ChangedJob) => void {
  let batch = new Map<string, ChangedJob>();
  return (job) => {
    if (batch.size === 0)
      setTimeout(() => {
        const whole = batch;
        batch = new Map();
        run(whole);
      }, GATHER_MS);
    batch.set(job.job_id, job);
  };
}

const GATHER_MS = 100;

/** A burst of events leads to one refetch. */
function debounced(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, 250);
  };
}

/** Refetches what is shown and failed for want of the server, once it can be reached again. */
function refetchFailed(queries: QueryClient): Promise<void> {
  return queries.refetchQueries(
    // What was refused or is missing would flicker while it is refetched in vain.
    { type: 'active', predicate: ({ state: { error } }) => isTransient(error) },
    { cancelRefetch: false },
  );
}
