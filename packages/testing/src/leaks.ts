/**
 * Finds what a test file must not leave behind: processes, listening servers, temporary
 * directories.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { TEMPORARY_PREFIX } from './temporary.ts';

export function findLeaks(): string[] {
  return [...childProcesses(), ...listeningServers(), ...temporaryDirs()];
}

function childProcesses(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const found = parentOf(pid);
    return found?.parent === process.pid && found.state !== 'Z'
      ? [`process ${pid} (${found.name})`]
      : [];
  });
}

/** /proc/<pid>/stat: `pid (name) state ppid …`; the name may contain parentheses. */
function parentOf(pid: string): { name: string; state: string; parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const [state = '', parent] = stat.slice(end + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, end), state, parent: Number(parent) };
  } catch {
    return null; // the process ended meanwhile
  }
}

function listeningServers(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kind === 'TCPServerWrap')
    .map(() => 'a listening server');
}

function temporaryDirs(): string[] {
  const own = `${TEMPORARY_PREFIX}${process.pid}-`;
  return readdirSync(tmpdir()).filter((name) => name.startsWith(own));
}
