/**
 * The folders in which a job would stand otherwise than at its destination, of those that the
 * caller may push to.
 */
import {
  foldersWith,
  LOCAL_REGISTRY_ID,
  localRepository,
  type Principal,
  proposedTarget,
  ROOT_FOLDER,
  type StagingJob,
  type StandingState,
} from '@portcullis/domain';
import type { JobStanding, PushGate } from '@portcullis/gate';
import type { AccessRights } from '../../../identity/rights.ts';
import type { ShownStanding } from './job-standings.ts';

export interface ElsewherePorts {
  pushGate: Pick<PushGate, 'standings'>;
  rights: Pick<AccessRights, 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
}

export interface ElsewhereStanding extends JobStanding {
  folder: string;
}

/** Folders that an answer names. */
const MOST_NAMED = 20;
/** Policies, or waivers of a folder, by which one image is judged. */
const MOST_JUDGED = 20;

/** Where it may be pushed comes first. */
const RANKS: Record<StandingState, number> = {
  passes: 0,
  allowed: 1,
  bypassed: 2,
  waits: 3,
  blocked: 4,
};

export async function standingsElsewhere(
  principal: Principal,
  { job, standing }: { job: StagingJob; standing: ShownStanding },
  { pushGate, rights, folders }: ElsewherePorts,
): Promise<ElsewhereStanding[]> {
  if (standing === null || standing.state === 'waits') return [];
  const all = await folders();
  const granted = principal.isAdmin ? [...all] : foldersWith(principal.grants, 'push');
  const others = granted.filter((folder) => folder !== standing.destination?.folder).sort();
  const open = await pushGate.standings([job.digest]);
  const { repository: name } = proposedTarget(job);
  const repositoryIn = (folder: string) => localRepository(name, folder);
  const found: ElsewhereStanding[] = [];
  for (const alike of open.alike(others, repositoryIn).slice(0, MOST_JUDGED)) {
    const [first] = alike;
    if (first === undefined) continue;
    const target = {
      registryId: LOCAL_REGISTRY_ID,
      repository: repositoryIn(first),
      folder: first,
    };
    // Nothing was pushed there.
    const there = open.at(target).standing({ ...job, pushes: [] });
    if (there === null || isSame(there, standing)) continue;
    found.push(...alike.map((folder) => ({ ...there, folder })));
  }
  const sorted = found.toSorted(
    (one, other) => RANKS[one.state] - RANKS[other.state] || (one.folder < other.folder ? -1 : 1),
  );
  const named: ElsewhereStanding[] = [];
  for (const each of sorted) {
    if (named.length >= MOST_NAMED) break;
    const repository = repositoryIn(each.folder);
    const right = { action: 'push', repository, named: namedOf(each.folder) } as const;
    if ((await rights.decide(principal, right)).allowed) named.push(each);
  }
  return named;
}

function namedOf(folder: string): string | null {
  return folder === ROOT_FOLDER ? null : folder;
}

function isSame(one: JobStanding, other: JobStanding): boolean {
  return (
    one.state === other.state &&
    one.code === other.code &&
    one.blockingTotal === other.blockingTotal
  );
}
