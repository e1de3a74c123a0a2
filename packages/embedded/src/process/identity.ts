/** Process identity: a pid with its start time, because pids are reused. */
import { readFileSync } from 'node:fs';

/** `pid start boot`; null when no such process runs (a zombie counts as dead). */
export function identityOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return hasProc() ? null : portableIdentity(pid);
  // The command name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${pid} ${fields[19]} ${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`;
}

export function isAlive(identity: string): boolean {
  return identityOf(pidOf(identity)) === identity;
}

export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
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
