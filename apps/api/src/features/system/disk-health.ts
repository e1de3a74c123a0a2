/** What is to be known about the disks that images are on. */
import { unavailable } from '@portcullis/errors';
import { isShort } from '@portcullis/runtime';
import type { DiskFault, StorageDisk } from '@portcullis/store';

export interface DiskFacts {
  /** The disk of a DATA_DIR with the least space above its reserve; null if none is known. */
  data: StorageDisk | null;
  /** Why a worker cannot write to its DATA_DIR. */
  fault: DiskFault | null;
}

/** @throws unavailable `DISK_RESERVE`, `DISK_UNWRITABLE` */
export function assertDisks({ data, fault }: DiskFacts): null {
  if (data !== null && isShort(data))
    throw unavailable(
      'DISK_RESERVE',
      'less than the reserve is free: pulls, scans and pushes wait for space',
    );
  if (fault !== null) throw unavailable(fault.code, fault.message);
  return null;
}
