/**
 * The doors of copies inside the local registry, and of jobs that read from it: what leaves a
 * folder passes its pull gate, and what enters an enforcing folder passes its policy. A copy takes
 * all platforms along, so that each of them has to pass.
 */
import { folderOf, type Principal, type RefusalCode } from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import { explain, refusalLine } from './explanation.ts';
import type { Gate } from './gate.ts';
import { type DecidedPull, strictest } from './pull-door.ts';

export interface CopyDoorsPorts {
  images: Pick<Gate, 'rules' | 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
}

type Account = Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;

export interface CopyDoors {
  /** @throws forbidden where a pull of the account would not be served */
  assertLeaves(account: Account, image: { repository: string; digest: string }): Promise<void>;
  /** @throws forbidden where the folder of `repository` enforces and its policy blocks the image */
  assertEnters(
    account: Account,
    image: { repository: string; digest: string; contentIn: string },
  ): Promise<void>;
}

export function createCopyDoors({ images, folders }: CopyDoorsPorts): CopyDoors {
  const folderIn = async (repository: string) => folderOf(repository, await folders());

  return {
    async assertLeaves(account, { repository, digest }) {
      const folder = await folderIn(repository);
      if ((await images.rules()).gateOf(folder).pullGate !== 'enforce') return;
      const image = { repository, digest, folder };
      assertServed(strictest(await images.decide({ image, account })));
    },
    async assertEnters(account, { repository, digest, contentIn }) {
      const folder = await folderIn(repository);
      if ((await images.rules()).gateOf(folder).pullGate !== 'enforce') return;
      const image = { repository, digest, folder };
      const decided = strictest(await images.decide({ image, account, contentIn }));
      assertServed(decided);
      // The grace period is for what the folder has, not for what it gets.
      const { decision } = decided;
      if (decision.serve && decision.because === 'grace') throw refused(decision.code, decided);
    },
  };
}

function assertServed(decided: DecidedPull): void {
  const { decision } = decided;
  if (decision.serve) return;
  throw refused(decision.serve === null ? 'SCAN_REQUIRED' : decision.code, decided);
}

function refused(code: RefusalCode, decided: DecidedPull): Error {
  const detail = { decision: explain(decided) };
  const line =
    decided.decision.serve === null ? 'The image was not scanned yet.' : refusalLine(code, decided);
  // The gate of staging jobs has one code for what has no complete scan.
  return forbidden(code === 'SCAN_FAILED' ? 'SCAN_REQUIRED' : code, line, { detail });
}
