/**
 * The timeline of a staging job: one entry for each change of its status, and for facts that are
 * learned in between. An entry is data; `timelineNote` renders the English sentence of the REST
 * API.
 */
import type { JobStatus } from './job-status.ts';

/** Kinds without parameters, and the sentence that the REST API shows for each. */
const SENTENCES = {
  /** The status alone says what happened. */
  status_changed: null,
  scan_disabled: 'scanning is off',
  scan_reused: 'not scanned again: this very image was, by the same scanner with the same database',
  layers_missing: 'the scan needs layers that were left at their source',
  storage_lost: 'the worker that had pulled the image is gone with its storage: it is pulled again',
  database_newer:
    'the vulnerability database is newer than the scan: it is made again before the push',
  policy_changed: 'the verdict follows a policy that changed since the scan',
  worker_stopped: 'handed back by a stopping worker',
  preempted: 'waits again, so that jobs of other accounts can run; it goes on where it stopped',
  retried: 'retried',
  java_index_arrived: 'scanned again: the index of Java archives has arrived',
  image_released:
    'the image was removed from the disk of the worker; it is read from its source again where it is needed',
} as const satisfies Record<string, string | null>;

type PlainKind = keyof typeof SENTENCES;

/** A referrer, a tag of cosign, or the list of a manifest's referrers (`name`: that manifest). */
export interface ReferrerLeft {
  kind: 'referrer' | 'tag' | 'list';
  name: string;
  code: string;
  message: string;
}

interface ReferrersLeft {
  kind: 'referrers_left';
  left: ReferrerLeft[];
  /** The number of those that `left` doesn't name. */
  more: number;
}

const MAX_NAMED = 50;
const MAX_MESSAGE = 500;

/** Null where nothing was left behind. */
export function referrersLeft(left: readonly ReferrerLeft[] = []): ReferrersLeft | null {
  if (left.length === 0) return null;
  const named = left.slice(0, MAX_NAMED).map(({ kind, name, code, message }) => ({
    kind,
    name,
    code,
    message: message.slice(0, MAX_MESSAGE),
  }));
  return { kind: 'referrers_left', left: named, more: left.length - named.length };
}

export type TimelineEvent =
  | { kind: PlainKind }
  /** `destination` is `host/repository:tag`. */
  | { kind: 'push_requested'; destination: string }
  | ReferrersLeft
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'retry_scheduled'; code: string; message: string; seconds: number };

export type TimelineEntry = { at: Date; status: JobStatus } & TimelineEvent;

export const TIMELINE_KINDS = [
  'status_changed',
  'scan_disabled',
  'scan_reused',
  'layers_missing',
  'storage_lost',
  'database_newer',
  'policy_changed',
  'worker_stopped',
  'preempted',
  'referrers_left',
  'retried',
  'java_index_arrived',
  'image_released',
  'push_requested',
  'failed',
  'retry_scheduled',
] as const satisfies TimelineEvent['kind'][];

export const STATUS_CHANGED = { kind: 'status_changed' } as const;

/** Why the last scan of the job failed, which alone does not end a job; null where none did. */
export function scanFailure(timeline: readonly TimelineEntry[]): string | null {
  const last = timeline.findLast(({ kind, status }) => kind === 'failed' && status !== 'failed');
  return last?.kind === 'failed' ? last.message : null;
}

export function timelineNote(event: TimelineEvent): string | null {
  switch (event.kind) {
    case 'push_requested':
      return `to ${event.destination}`;
    case 'referrers_left':
      return leftNote(event);
    case 'failed':
      return event.message;
    case 'retry_scheduled':
      return `${event.message}; again in ${event.seconds} s`;
    default:
      return SENTENCES[event.kind];
  }
}

const WHAT = {
  referrer: 'the referrer',
  tag: 'the tag',
  list: 'the list of referrers of',
} as const;

function leftNote({ left, more }: ReferrersLeft): string {
  const parts = left.map(
    ({ kind, name, code, message }) => `${WHAT[kind]} ${name} (${code}: ${message})`,
  );
  const others = more > 0 ? [`${more} more`] : [];
  return `left behind: ${[...parts, ...others].join('; ')}`;
}
