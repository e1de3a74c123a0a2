/** Whether a directory is on a file system of this machine. */
import { statfsSync } from 'node:fs';

/** statfs(2): ext2 to ext4, XFS, Btrfs, ZFS, F2FS, tmpfs, overlay. */
const LOCAL_TYPES = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
]);

/**
 * A change by another process is seen at once there, and a call takes microseconds where the kernel
 * has the answer; a network's file system promises neither.
 */
export function isOfThisMachine(dir: string): boolean {
  try {
    return LOCAL_TYPES.has(statfsSync(dir).type);
  } catch {
    return false;
  }
}
