/**
 * The doors of copies inside the local registry, and of jobs that read from it: what leaves a
 * folder passes its pull gate, and what enters an enforcing folder passes its policy.
 */
import { folderOf, type RefusalCode } from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import { decideAt, type GateQuestion } from './decide-at.ts';
import { type ExplainedDecision, explain } from './explanation.ts';
import type { Gate } from './gate.ts';
import type { DecidedPull } from './manifest-decision.ts';
import { refusalLine } from './refusal-line.ts';

export interface CopyGatePorts {
  images: Pick<Gate, 'rules' | 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
}

type Account = GateQuestion['account'];

interface CopiedImage {
  repository: string;
  digest: string;
  contentIn?: string;
}

export interface CopyGate {
  /** Whether the folder of this repository enforces the pull gate. */
  isEnforced(repository: string): Promise<boolean>;
  /**
   * @returns the decision where the image does not pass the policy and is served all the same: by
   * a grace period, or because the account may bypass the gate
   * @throws forbidden where a pull of the account would not be served
   */
  assertLeaves(
    account: Account,
    image: { repository: string; digest: string },
  ): Promise<ExplainedDecision | null>;
  /**
   * @returns as `assertLeaves`
   * @throws forbidden where the folder of `repository` enforces and its policy blocks the image
   */
  assertEnters(
    account: Account,
    image: { repository: string; digest: string; contentIn: string },
  ): Promise<ExplainedDecision | null>;
}

export function createCopyGate({ images, folders }: CopyGatePorts): CopyGate {
  async function folderAt(repository: string): Promise<{ folder: string; isEnforced: boolean }> {
    const folder = folderOf(repository, await folders());
    const { pullGate } = (await images.rules()).gateOf(folder);
    return { folder, isEnforced: pullGate === 'enforce' };
  }

  async function assertPasses(
    door: 'copy_from' | 'copy_to',
    account: Account,
    { repository, digest, contentIn }: CopiedImage,
  ): Promise<ExplainedDecision | null> {
    const { folder, isEnforced } = await folderAt(repository);
    if (!isEnforced) return null;
    const image = { repository, digest, folder };
    const decided = await decideAt({ door, image, account, contentIn }, images);
    const { decision } = decided;
    if (decision.serve === false) throw refused(decision.code, decided);
    return 'code' in decision ? explain(decided) : null;
  }

  return {
    isEnforced: async (repository) => (await folderAt(repository)).isEnforced,
    assertLeaves: (account, image) => assertPasses('copy_from', account, image),
    assertEnters: (account, image) => assertPasses('copy_to', account, image),
  };
}

function refused(code: RefusalCode, decided: DecidedPull): Error {
  return forbidden(code, refusalLine(code, decided), { detail: { decision: explain(decided) } });
}
