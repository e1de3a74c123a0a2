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
}

/** @throws unavailable `DISK_RESERVE`, `REGISTRY_DISK_RESERVE`, `DISK_UNWRITABLE` */
export function assertDisks({ data, registry, fault }: DiskFacts): null {
  if (data !== null && isShort(data))
    throw unavailable(
      'DISK_RESERVE',
      'less than the reserve is free on the disk of DATA_DIR: pulls and scans wait for space',
    );
  if (registry !== null && isShort(registry))
    throw unavailable(
      'REGISTRY_DISK_RESERVE',
      'less than the reserve is free on the disk of the built-in registry: pushes to it wait for space',
    );
  if (fault !== null) throw unavailable(fault.code, fault.message);
  return null;
}
