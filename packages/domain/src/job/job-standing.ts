/** The standing of a staging job for the place that it is for. */
import { folderOf } from '../access/access.ts';
import { LOCAL_REGISTRY_ID } from '../location/location.ts';
import {
  caveatOf,
  type DestinationStanding,
  destinationStanding,
  foundIn,
  type StandingWait,
  withBypass,
} from '../standing/destination-standing.ts';
import { codeOfRefusal, type PushDecision, type PushedScan } from '../standing/push-decision.ts';
import type { Waiver } from '../waivers/waiver.ts';
import { type JobDestination, nextStage, type Push, type StagingJob } from './staging-job.ts';

/** Where a job is to be judged for: its newest push, or what was chosen with the pull. */
export type JudgedDestination = Pick<Push, 'kind' | 'registryId' | 'host' | 'repository' | 'tag'>;

export function destinationOfJob({
  pushes,
  destination,
}: Pick<StagingJob, 'pushes' | 'destination'>): JudgedDestination | null {
  return pushes.at(-1) ?? destination;
}

/** A job of that account that is for no place yet is for this one; null where nothing changes. */
export function aimedAt<J extends Pick<StagingJob, 'ownerId' | 'pushes' | 'destination'>>(
  job: J,
  ownerId: string,
  destination: JobDestination,
): J | null {
  const isFree = job.ownerId === ownerId && destinationOfJob(job) === null;
  return isFree ? { ...job, destination } : null;
}

type JudgedTarget = Pick<Push, 'registryId' | 'repository'> & { folder: string | null };

/** Where its gate is asked. Without a place the default policy judges it. */
export function targetOfJob(
  job: Pick<StagingJob, 'image' | 'pushes' | 'destination'>,
  folders: ReadonlySet<string>,
): JudgedTarget {
  const place = destinationOfJob(job);
  if (place === null) return { registryId: null, repository: job.image, folder: null };
  return targetAt(place, folders);
}

export function targetAt(
  { kind, registryId, repository }: Pick<Push, 'kind' | 'registryId' | 'repository'>,
  folders: ReadonlySet<string>,
): JudgedTarget {
  return kind === 'local'
    ? { registryId: LOCAL_REGISTRY_ID, repository, folder: folderOf(repository, folders) }
    : { registryId, repository, folder: null };
}

/** The right that the policy of the place is shown with. */
export function rightAt({ kind, repository }: JudgedDestination) {
  return kind === 'local'
    ? ({ action: 'push', operation: 'judge', repository } as const)
    : ({ action: 'push_external' } as const);
}

/** The account whose privilege brought the image to that place; null where none did. */
export function bypassedByOf({ pushes }: Pick<StagingJob, 'pushes'>): string | null {
  const place = pushes.at(-1);
  const done = pushes.findLast(
    (push) =>
      push.status === 'done' && push.host === place?.host && push.repository === place.repository,
  );
  return done?.bypassed === undefined ? null : done.requestedBy;
}

/** What a job waits for before anything can be said of it; null: nothing. */
function waitsOfJob(job: Pick<StagingJob, 'status' | 'verdict'>): StandingWait | null {
  const stage = nextStage(job);
  if (stage === 'scan') return 'scan';
  return stage === 'pull' && job.verdict === 'pending' ? 'pull' : null;
}

/**
 * Null for a job that ended before its scan: nothing was judged and nothing will be.
 * @param decision of the gate for that place, without the privilege of any account
 */
export function jobStanding(
  job: Pick<StagingJob, 'status' | 'verdict' | 'pushes'>,
  decision: PushDecision,
  { scan, waivers }: { scan: PushedScan; waivers: readonly Waiver[] },
): DestinationStanding | null {
  const { refusal, standing, waitsUntil } = decision;
  const waitsFor = waitsOfJob(job);
  if (waitsFor === null && job.verdict === 'pending') return null;
  const answer = destinationStanding({
    judgement: {
      passes: waitsFor === null ? refusal === null : null,
      code: refusal && codeOfRefusal(refusal),
    },
    standing,
    waitsUntil,
    found: scan.facts && foundIn(scan.facts),
    caveat: caveatOf({
      standing,
      lastScanFailed: scan.lastScanFailed,
      isArtifact: typeof scan.facts?.artifactType === 'string',
    }),
    waivers,
    waitsFor,
  });
  return withBypass(answer, bypassedByOf(job));
}
