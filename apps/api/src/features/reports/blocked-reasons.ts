/**
 * Why the gate stops images, judged at the moment of the report: the policy of the destination, and
 * the findings that block with their fixes. The findings of a few jobs are in memory at a time.
 */
import {
  folderOf,
  isBlocked,
  LOCAL_REGISTRY_ID,
  type MatchedFinding,
  type StagingJob,
} from '@portcullis/domain';
import type { PushGate, PushTarget } from '@portcullis/gate';
import type { Store, TransferredJob } from '@portcullis/store';

export interface BlockedReason {
  /** In English; null where the gate would let the image pass now. */
  reason: string | null;
  policy: { id: string | null; name: string; version: string };
  findings: readonly MatchedFinding[];
}

export interface ReasonPorts {
  jobs: Pick<Store['jobs'], 'findMany'>;
  pushGate: PushGate;
  folders(): Promise<ReadonlySet<string>>;
}

/** A job with three thousand findings takes some ten megabytes. */
const READ_AT_ONCE = 5;
const NO_PRIVILEGE = { isAdmin: false, canBypassVulnBlock: false };

export interface Reasons {
  of(job: StagingJob): Promise<BlockedReason>;
  /** In the given order; null for what is not blocked, or was deleted meanwhile. */
  ofAll(
    jobs: AsyncIterable<TransferredJob[]>,
  ): AsyncGenerator<{ job: TransferredJob; reason: BlockedReason | null }>;
}

export function createReasons({ jobs, pushGate, folders }: ReasonPorts): Reasons {
  async function of(job: StagingJob): Promise<BlockedReason> {
    const gate = await pushGate.open({
      target: targetOf(job, await folders()),
      account: NO_PRIVILEGE,
      bypass: { allowed: false, reason: null },
      digests: [job.digest],
    });
    const { decision, explanation, blocking } = gate.judge(job);
    const { id, name, version } = explanation.policy;
    return {
      reason: decision.allowed ? null : decision.reason,
      policy: { id, name, version },
      findings: blocking,
    };
  }

  async function* ofAll(pages: AsyncIterable<TransferredJob[]>) {
    for await (const page of pages)
      for (let from = 0; from < page.length; from += READ_AT_ONCE) {
        const batch = page.slice(from, from + READ_AT_ONCE);
        const blocked = batch.filter(isBlocked).map(({ id }) => id);
        const found = blocked.length === 0 ? [] : await jobs.findMany(blocked);
        for (const job of batch) {
          const full = found.find(({ id }) => id === job.id);
          yield { job, reason: full ? await of(full) : null };
        }
      }
  }

  return { of, ofAll };
}

/** A job without a push is judged by the default policy. */
function targetOf({ pushes, image }: StagingJob, folders: ReadonlySet<string>): PushTarget {
  const push = pushes.at(-1);
  if (!push) return { registryId: null, repository: image, folder: null };
  const { kind, registryId, repository } = push;
  return kind === 'local'
    ? { registryId: LOCAL_REGISTRY_ID, repository, folder: folderOf(repository, folders) }
    : { registryId, repository, folder: null };
}
