/** Publishes changes of a job: to the progress channel for open pages, and to the audit log. */
import {
  DENIAL_CODES,
  type DestinationStanding,
  EVENT_STANDING,
  eventStanding,
  type Outcome,
  type Stage,
  type StagingJob,
} from '@portcullis/domain';
import { type AuditEvent, type AuditLog, publishProgress, systemEvent } from '@portcullis/events';
import type { Logger, Redis } from '@portcullis/runtime';

export interface Announcer {
  /** Called after the row and its audit event were committed. */
  publish(stage: Stage, job: StagingJob, outcome: Outcome | null): Promise<void>;
  publishProgress(job: StagingJob): Promise<void>;
  /** For a change that is not one of its jobs. */
  publishTransfer(transfer: { id: string; ownerId: string }): Promise<void>;
}

export function createAnnouncer(
  redis: Redis,
  audit: Pick<AuditLog, 'flushSoon'>,
  log: Pick<Logger, 'error'>,
): Announcer {
  /** The row is saved already, so a failed announcement is only logged. */
  async function logFailure(sending: Promise<unknown>): Promise<void> {
    await sending.catch((error: unknown) =>
      log.error({ err: error }, 'a change was not announced'),
    );
  }

  return {
    async publish(_stage, job, outcome) {
      if (outcome) audit.flushSoon();
      await logFailure(
        publishProgress(redis, {
          jobId: job.id,
          ownerId: job.ownerId,
          kind: 'job',
          // The api renders the row, because accounts may see different parts of it.
          data: {},
        }),
      );
    },
    publishTransfer: ({ id: jobId, ownerId }) =>
      logFailure(publishProgress(redis, { jobId, ownerId, kind: 'transfer', data: {} })),
    async publishProgress(job) {
      await publishProgress(redis, {
        jobId: job.id,
        ownerId: job.ownerId,
        kind: 'progress',
        data: progressData(job),
      });
    },
  };
}

function progressData({ id, progress }: StagingJob): Record<string, unknown> {
  const { phase, bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate } = progress;
  const counters = {
    bytes_done: bytesDone,
    bytes_total: bytesTotal,
    blobs_done: blobsDone,
    blobs_total: blobsTotal,
  };
  return { job_id: id, progress: { phase, ...counters, bytes_reused: bytesReused, rate } };
}

/** Outcomes that the timeline shows and the audit log does not. */
const PASSING: Outcome['kind'][] = [
  'handed_back',
  'made_room',
  'put_off',
  'blobs_wanted',
  'storage_lost',
  'scan_wanted',
];

/** The audit event of a transition; it is written in the transaction of the row. */
export function transitionEvent(
  stage: Stage,
  job: StagingJob,
  outcome: Outcome,
  standing: DestinationStanding | null,
): AuditEvent | null {
  if (PASSING.includes(outcome.kind)) return null;
  return systemEvent({
    at: job.updatedAt,
    event: outcome.kind === 'cancelled' ? 'staging.cancelled' : `staging.${DONE[stage]}`,
    outcome: resultOf(outcome),
    actor: actorOf(stage, job),
    action: stage,
    resource: { kind: 'staging_job', id: job.id, name: `${job.image}:${job.tag}` },
    detail: {
      ...detailOf(stage, job),
      ...decisionOf(outcome),
      ...(standing && { [EVENT_STANDING]: eventStanding(standing) }),
    },
  });
}

const DONE = { pull: 'pulled', scan: 'scanned', push: 'pushed' } as const satisfies Record<
  Stage,
  string
>;

function actorOf(stage: Stage, job: StagingJob): { id: string; name: string } {
  const push = stage === 'push' ? job.pushes.at(-1) : undefined;
  return push
    ? { id: push.requestedById, name: push.requestedBy }
    : { id: job.ownerId, name: job.ownerName };
}

function resultOf(outcome: Outcome): AuditEvent['outcome'] {
  if (outcome.kind !== 'failed') return 'success';
  return DENIAL_CODES.some((code) => code === outcome.error.code) ? 'denied' : 'failure';
}

/** Why the gate decided so, by the rules of that moment. */
function decisionOf(outcome: Outcome): { decision?: object } {
  const decision = 'decision' in outcome ? outcome.decision : undefined;
  return decision === undefined ? {} : { decision };
}

function detailOf(stage: Stage, job: StagingJob): Record<string, unknown> {
  const push = stage === 'push' ? job.pushes.at(-1) : undefined;
  const destination = push && {
    destination: `${push.host}/${push.repository}:${push.tag}`,
    bytes_mounted: push.bytesMounted,
    ...(push.bypassed && { bypassed: push.bypassed, reason: push.bypass.reason }),
  };
  const goesTo = job.pushes.at(-1);
  const local = goesTo?.kind === 'local' && { local_repository: goesTo.repository };
  const scan = stage === 'scan' ? { counts: job.vulnResult?.counts ?? null } : {};
  const { digest, verdict, size, error, transferId } = job;
  const failure = error && { code: error.code, side: error.side, message: error.message };
  return {
    source: job.source.host,
    digest,
    size,
    verdict,
    transfer_id: transferId,
    error: failure,
    ...scan,
    ...destination,
    ...local,
  };
}
