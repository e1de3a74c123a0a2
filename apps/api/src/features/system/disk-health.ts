/** What is to be known about the disks that images are on. */
import { unavailable } from '@portcullis/errors';
import { isShort } from '@portcullis/runtime';
import type { DiskFault, StorageDisk } from '@portcullis/store';

export interface DiskFacts {
  /** The disk of a DATA_DIR with the least space above its reserve; null if none is known. */
  data: StorageDisk | null;
  /** That of the built-in registry's storage. */
  registry: StorageDisk | null;
  /** Why a worker cannot write to its DATA_DIR. */
  fault: DiskFault | null;
  /** Jobs that were put off because of a disk. */
  waiting: { count: number; oldestMs: number };
}

/** Short waits belong to a transfer that is larger than the disk. */
const LONG_WAIT_MS = 5 * 60_000;

/**
 * What is to be known although the disks are well; null where there is nothing.
 * @throws unavailable with the code of the first finding and the words of all
 */
export function assessDisks(facts: DiskFacts): DiskFault | null {
  const waits = waitFinding(facts);
  const isLong = facts.waiting.oldestMs >= LONG_WAIT_MS;
  const [first, ...others] = [...diskFindings(facts), ...(waits && isLong ? [waits] : [])];
  if (!first) return waits;
  throw unavailable(first.code, [first, ...others].map(({ message }) => message).join('; '));
}

function diskFindings({ data, registry, fault }: DiskFacts): DiskFault[] {
  const findings: DiskFault[] = [];
  if (data !== null && isShort(data))
    findings.push({
      code: 'DISK_RESERVE',
      message: 'less than the reserve is free on the disk of DATA_DIR: pulls and scans wait',
    });
  if (registry !== null && isShort(registry))
    findings.push({
      code: 'REGISTRY_DISK_RESERVE',
      message:
        'less than the reserve is free on the disk of the built-in registry: pushes to it wait',
    });
  if (fault !== null) findings.push(fault);
  return findings;
}

function waitFinding({ waiting: { count, oldestMs } }: DiskFacts): DiskFault | null {
  if (count === 0) return null;
  const minutes = Math.floor(oldestMs / 60_000);
  return {
    code: 'JOBS_WAIT_FOR_DISK',
    message: `${count} jobs wait for a disk, the first of them for ${minutes} minutes`,
  };
}
