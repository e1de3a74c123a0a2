/**
 * What to use in place of a blocked image: the nearest other tags of its repository that pass for
 * the same destination, from the jobs that the caller may read.
 */
import type { PassingTags } from '@portcullis/contract';
import {
  acceptsPush,
  destinationOfJob,
  type Principal,
  rightAt,
  type StagingJob,
  targetOfJob,
} from '@portcullis/domain';
import { nearestTags } from '@portcullis/domain/nearest-tags';
import { type JudgedPush, type PushGate, type PushTarget, UNPRIVILEGED } from '@portcullis/gate';
import type { Store } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { type DestinationPorts, destinationOf, type PushOrder, rightTo } from './destination.ts';

export interface PassingTagsPorts {
  jobs: Pick<Store['jobs'], 'judgedTags' | 'find'>;
  rights: AccessRights;
  resolution: DestinationPorts;
  pushGate: Pick<PushGate, 'open'>;
}

type AskedDestination = Pick<PushOrder, 'folder' | 'registryId' | 'targetImage'>;

const MOST_SHOWN = 3;
/** Each has findings, which may be megabytes. */
const MOST_READ = 12;
const MOST_JUDGED = 500;

export function createPassingTags({ jobs, rights, resolution, pushGate }: PassingTagsPorts) {
  /** Where none is asked for, the one that the job is judged for. */
  async function askedTarget(
    principal: Principal,
    job: StagingJob,
    asked: AskedDestination,
  ): Promise<PushTarget> {
    if (asked.folder === null && asked.registryId === null) {
      const place = destinationOfJob(job);
      if (place) await rights.assert(principal, rightAt(place));
      return targetOfJob(job, new Set(await resolution.folders.names()));
    }
    const order = { ...asked, targetTag: job.tag, host: null, username: null };
    const resolved = await destinationOf(order, principal, resolution);
    await rights.assert(principal, rightTo(resolved));
    return resolved;
  }

  async function list(
    principal: Principal,
    job: StagingJob,
    asked: AskedDestination,
  ): Promise<PassingTags> {
    const { registryId, repository, folder } = await askedTarget(principal, job, asked);
    const ownerId = principal.isAdmin ? null : principal.id;
    const known = await jobs.judgedTags(job, { ownerId, most: MOST_JUDGED });
    const jobOf = new Map(known.map(({ id, tag }) => [tag, id]));
    const target = { registryId, repository, folder };
    const tags: PassingTags['tags'] = [];
    for (const tag of nearestTags(job.tag, jobOf.keys()).slice(0, MOST_READ)) {
      const other = await jobs.find(jobOf.get(tag) ?? '');
      if (other === null) continue;
      const gate = await pushGate.open({ target, ...UNPRIVILEGED, digests: [other.digest] });
      const passing = passingTag(other, gate.judge(other));
      if (passing) tags.push(passing);
      if (tags.length === MOST_SHOWN) break;
    }
    return { tags, judged: known.length };
  }

  return { list };
}
export type PassingTagsService = ReturnType<typeof createPassingTags>;

/** Null where it is blocked, or where it was not judged. */
function passingTag(
  job: StagingJob,
  { decision, waivers }: JudgedPush,
): PassingTags['tags'][number] | null {
  const { digest, vulnResult } = job;
  if (!decision.allowed || !acceptsPush(job) || digest === null || !vulnResult) return null;
  const ends = waivers.map(({ until }) => until).toSorted();
  return {
    tag: job.tag,
    digest,
    job_id: job.id,
    counts: vulnResult.counts,
    allowed_until: ends[0] ?? null,
  };
}
