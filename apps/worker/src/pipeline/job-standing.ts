/** How a job stands for its destination, which the events of its stages say. */
import { destinationOfJob, rightAt, type StagingJob, targetOfJob } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { JobStanding, PushGate } from '@portcullis/gate';
import type { Accounts } from './accounts.ts';
import type { JobRights } from './rights.ts';

interface JobStandingPorts {
  pushGate: Pick<PushGate, 'standings'>;
  rights: Pick<JobRights, 'principal' | 'assert'>;
  folders: Accounts['folders'];
}

/** Null: its owner may not push there, or nothing was judged and nothing will be. */
export function jobStandings({ pushGate, rights, folders }: JobStandingPorts) {
  return async (job: StagingJob): Promise<JobStanding | null> => {
    if (!(await mayKnow(job, rights))) return null;
    const [open, names] = await Promise.all([pushGate.standings([job.digest]), folders()]);
    return open.at(targetOfJob(job, names)).standing(job);
  };
}

async function mayKnow(job: StagingJob, rights: JobStandingPorts['rights']): Promise<boolean> {
  const place = destinationOfJob(job);
  if (place === null) return true;
  try {
    await rights.assert(await rights.principal(job.ownerId), rightAt(place));
    return true;
  } catch (error) {
    if (isAppError(error) && error.kind === 'forbidden') return false;
    throw error;
  }
}
