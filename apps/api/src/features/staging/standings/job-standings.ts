/**
 * The standings of staging jobs for their destinations, for callers who may push there: the policy
 * of a place is for those who use it.
 */
import {
  destinationOfJob,
  type JudgedDestination,
  type Principal,
  rightAt,
  type StagingJob,
  targetOfJob,
} from '@portcullis/domain';
import type { JobStanding, OpenStandings, PushGate } from '@portcullis/gate';
import type { JobSummary, Store } from '@portcullis/store';
import type { AccessRights } from '../../../identity/rights.ts';

export interface JobStandingPorts {
  jobs: Pick<Store['jobs'], 'judgedFindings'>;
  pushGate: Pick<PushGate, 'standings'>;
  rights: Pick<AccessRights, 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
  now(): Date;
}

/** `destination`: what it is about; null: none was chosen, so that the default policy judges. */
interface LocatedStanding extends JobStanding {
  destination: (JudgedDestination & { folder: string | null }) | null;
}

/** Null: the caller may not push there, or nothing was judged and nothing will be. */
export type ShownStanding = LocatedStanding | null;

/** Of jobs that one list judges anew; a page of a hundred ordinary images has some ten thousand. */
const MOST_FINDINGS = 50_000;
const MOST_KEPT = 2_000;
/** Time alone may change a standing: a waiver ends, a finding or the database grows older. */
const KEPT_MS = 30_000;

export function createJobStandings(ports: JobStandingPorts) {
  let kept = { mark: '', since: 0, standings: new Map<string, JobStanding | null>() };

  async function of(principal: Principal, job: StagingJob): Promise<ShownStanding> {
    const [open, folders] = await Promise.all([
      ports.pushGate.standings([job.digest]),
      ports.folders(),
    ]);
    if (!(await mayKnow(principal, job))) return null;
    return located(judgeAt(job, open, folders), job, folders);
  }

  /** Those of a list. Jobs beyond the bound on findings are absent: their page judges them. */
  async function ofAll(
    principal: Principal,
    jobs: readonly JobSummary[],
  ): Promise<Map<string, ShownStanding>> {
    const [open, folders] = await Promise.all([
      ports.pushGate.standings(jobs.map(({ digest }) => digest)),
      ports.folders(),
    ]);
    const keyOf = (job: JobSummary) => `${rowKey(job)} ${open.markOf(job.digest)}`;
    const known = keptUnder(open);
    const asked = jobs.filter((job) => !known.has(keyOf(job)));
    const bounded = withinBound(asked);
    const findings = await ports.jobs.judgedFindings(
      bounded.filter(({ vulnResult }) => (vulnResult?.total ?? 0) > 0).map(({ id }) => id),
    );
    for (const job of bounded) {
      const vulnerabilities = findings.get(job.id) ?? [];
      const vulnResult = job.vulnResult && { ...job.vulnResult, vulnerabilities };
      known.set(keyOf(job), judgeAt({ ...job, vulnResult }, open, folders));
    }
    const shown = new Map<string, ShownStanding>();
    for (const job of jobs) {
      const standing = known.get(keyOf(job));
      if (standing === undefined) continue;
      const may = await mayKnow(principal, job);
      shown.set(job.id, may ? located(standing, job, folders) : null);
    }
    return shown;
  }

  function keptUnder({ mark }: OpenStandings): Map<string, JobStanding | null> {
    const now = ports.now().getTime();
    const isFresh = kept.mark === mark && now - kept.since < KEPT_MS;
    if (!isFresh || kept.standings.size > MOST_KEPT)
      kept = { mark, since: now, standings: new Map() };
    return kept.standings;
  }

  async function mayKnow(principal: Principal, job: JobSummary): Promise<boolean> {
    const place = destinationOfJob(job);
    if (place === null) return true;
    return (await ports.rights.decide(principal, rightAt(place))).allowed;
  }

  return { of, ofAll };
}
export type JobStandings = ReturnType<typeof createJobStandings>;

function judgeAt(
  job: StagingJob,
  open: OpenStandings,
  folders: ReadonlySet<string>,
): JobStanding | null {
  return open.at(targetOfJob(job, folders)).standing(job);
}

function located(
  standing: JobStanding | null,
  job: JobSummary,
  folders: ReadonlySet<string>,
): ShownStanding {
  if (standing === null) return null;
  const there = destinationOfJob(job);
  const destination = there && { ...there, folder: targetOfJob(job, folders).folder };
  return { ...standing, destination };
}

/** A change of the job, of its place or of its report changes the row. */
function rowKey({ id, updatedAt }: JobSummary): string {
  return `${id} ${updatedAt.getTime()}`;
}

function withinBound(jobs: readonly JobSummary[]): JobSummary[] {
  let left = MOST_FINDINGS;
  return jobs.filter(({ vulnResult }) => {
    const findings = vulnResult?.total ?? 0;
    left -= findings;
    return findings === 0 || left >= 0;
  });
}
