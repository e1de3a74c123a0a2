/** Process identity: a pid with its start time, because pids are reused. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** `pid start boot`; null when no such process runs (a zombie counts as dead). */
export function identityOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return hasProc() ? null : portableIdentity(pid);
  // The command name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${pid} ${fields[19]} ${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`;
}

/** Whether the process runs here: false also for a process of another machine or container. */
export function isAlive(identity: string): boolean {
  return identityOf(pidOf(identity)) === identity;
}

export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}

/** A process as named in a file that processes of other containers and hosts read, too. */
export interface ProcessMark {
  identity: string;
  /** The pid namespace in which the pid is valid: two containers may both have a process 7. */
  space: string;
}

export function ownMark(): ProcessMark {
  return { identity: identityOf(process.pid) ?? String(process.pid), space: spaceOf() };
}

/** Whether the process has certainly ended; false where it cannot be known from here. */
export function isDead({ identity, space }: ProcessMark): boolean {
  return space === spaceOf() && !isAlive(identity);
}

function spaceOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function hasProc(): boolean {
  return readText('/proc/self/stat') !== null;
}

/** Without /proc (macOS) the start time is unknown: a reused pid is taken for the old process. */
function portableIdentity(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  return `${pid} - -`;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
