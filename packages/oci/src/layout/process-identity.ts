/**
 * Identity of a process, and whether the process that wrote a lock or a partial file is known to be
 * dead.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  pid: number;
  /**
   * Scope of the pid: boot of the kernel and pid namespace, since two containers may both have a
   * pid 7. No dots.
   */
  space: string;
}

const self: ProcessIdentity = { pid: process.pid, space: spaceOf() };

export function ownIdentity(): ProcessIdentity {
  return self;
}

/** True only if the process is known to be dead; false if it cannot be determined. */
export function isDead({ pid, space }: ProcessIdentity): boolean {
  if (space !== self.space) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function spaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}_${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return hostname()
      .replace(/[^\w-]/g, '_')
      .slice(0, 60);
  }
}
