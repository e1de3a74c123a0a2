/**
 * Applies the retention rules of folders that are due or were requested, one folder after another.
 * The row of a run is the truth: another worker goes on where a run stopped.
 */
import { isTransient } from '@portcullis/errors';
import { type AuditLog, systemEvent } from '@portcullis/events';
import { expiredIn } from '@portcullis/gate';
import type { ClaimedRetention, RetentionCounts, Store } from '@portcullis/store';
import { keepLease, type Lease } from '../../pipeline/lease.ts';
import { failureOf, type RunFailure } from '../run-failure.ts';
import { oneByOne } from './one-by-one.ts';
import { RETENTION_ACTOR, type RemoveExpiredPorts, removeExpired } from './remove-expired.ts';

export interface ApplyRetentionPorts
  extends Omit<RemoveExpiredPorts, 'retention' | 'audit' | 'now'> {
  retention: Store['retention'];
  audit: RemoveExpiredPorts['audit'] & Pick<AuditLog, 'flush'>;
}

/** A run that could not reach the registry is tried again after this pause. */
const PAUSE_SECONDS = 60;
/** After this time it fails instead, and the folder waits for its next day. */
const MOST_TRYING_MS = 3_600_000;
/** The counts are written after this many removals. */
const COUNTED = 20;

export async function applyRetention(
  ports: ApplyRetentionPorts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const run = await ports.retention.claim();
    if (!run) return;
    await perform(run, ports, signal);
  }
}

async function perform(
  run: ClaimedRetention,
  ports: ApplyRetentionPorts,
  stopping: AbortSignal,
): Promise<void> {
  const { retention, log, audit } = ports;
  const { repositories, tagsKept, tagsRemoved, tagsFailed } = run;
  const counts = { repositories, tagsKept, tagsRemoved, tagsFailed };
  const lease = keepLease(() => retention.renew(run), log);
  const signal = AbortSignal.any([stopping, lease.lost]);
  let error: RunFailure | null = null;
  try {
    await removeFromAll({ run, counts, lease, signal }, ports);
  } catch (cause) {
    // This changes no row that another worker has. With another rule, the run begins anew.
    if (signal.aborted) return await retention.release(run, counts);
    log.warn({ err: cause, folder: run.folder }, 'a retention run stopped');
    if (isTransient(cause) && mayTryAgain(run))
      return await retention.release(run, counts, PAUSE_SECONDS);
    error = failureOf(cause);
  } finally {
    lease.stop();
  }
  const event = ranEvent(run, counts, error);
  if (await retention.finish(run, { ...counts, error, event })) await audit.flush();
}

/** A registry that answers and cannot delete would stop the folder, and fill the audit log. */
function mayTryAgain({ startedAt, claimedAt }: ClaimedRetention): boolean {
  return claimedAt.getTime() - startedAt.getTime() < MOST_TRYING_MS;
}

interface Running {
  run: ClaimedRetention;
  counts: RetentionCounts;
  lease: Pick<Lease, 'lose'>;
  signal: AbortSignal;
}

async function removeFromAll(
  { run, counts, lease, signal }: Running,
  ports: ApplyRetentionPorts,
): Promise<void> {
  const { retention, immutableTags } = ports;
  const { folder, rule } = run;
  // A worker whose clock is ahead would take every tag for old.
  const now = () => run.claimedAt;
  let { cursor } = run;
  let uncounted = 0;

  async function advance(): Promise<void> {
    uncounted = 0;
    if (!(await retention.advance(run, { ...counts, cursor }))) lease.lose();
    signal.throwIfAborted();
  }

  async function note(outcome: 'removed' | 'failed'): Promise<void> {
    counts[outcome === 'removed' ? 'tagsRemoved' : 'tagsFailed'] += 1;
    uncounted += 1;
    if (uncounted >= COUNTED) await advance();
  }

  async function isCurrent(): Promise<boolean> {
    const isOurs = await retention.renew(run);
    if (!isOurs) lease.lose();
    return isOurs;
  }

  const order = { folder, rule, signal, isCurrent, note };
  const attempt = oneByOne(ports);
  for await (const each of retention.repositories(folder, cursor)) {
    signal.throwIfAborted();
    const { repository, tags } = each;
    const patternOf = await immutableTags.patternOf(repository);
    const expired = await expiredIn(retention, each, { rule, patternOf, now: now() });
    const remove = () => removeExpired(repository, order, { ...ports, now });
    const kept = expired.length === 0 ? tags.length : await attempt(repository, remove);
    counts.tagsKept += kept ?? tags.length;
    counts.repositories += 1;
    cursor = repository;
    await advance();
  }
}

function ranEvent(
  { folderId, folder, requestedBy }: ClaimedRetention,
  counts: RetentionCounts,
  error: RunFailure | null,
) {
  return systemEvent({
    event: 'folder.retention_ran',
    outcome: error ? 'failure' : 'success',
    actor: RETENTION_ACTOR,
    action: 'retain',
    resource: { kind: 'folder', id: folderId, name: folder, folder },
    detail: {
      ...(requestedBy !== null && { requested_by: requestedBy }),
      repositories: counts.repositories,
      tags_kept: counts.tagsKept,
      tags_removed: counts.tagsRemoved,
      tags_failed: counts.tagsFailed,
      ...(error && { code: error.code }),
    },
  });
}
