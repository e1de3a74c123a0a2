/** The CPU time of other processes. */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU milliseconds of a process since its start; Linux counts them in hundredths of a second. */
function cpuOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The server processes of PostgreSQL that have the database open. */
function backendsOf(database: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /^postgres: /.test(commandOf(pid)) && commandOf(pid).includes(database))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It ended.
  }
}

export interface Watched {
  /** By the name that is printed. */
  pids: Record<string, number>;
  database: string;
}

/** @returns a function with the CPU milliseconds since then, by process */
export function watchCpu({ pids, database }: Watched): () => Record<string, number> {
  const before = new Map(Object.values(pids).map((pid) => [pid, cpuOf(pid)]));
  const backends = new Map(backendsOf(database).map((pid) => [pid, cpuOf(pid)]));
  return () => {
    const spent = Object.entries(pids).map(([name, pid]) => [
      name,
      cpuOf(pid) - (before.get(pid) ?? 0),
    ]);
    const queries = backendsOf(database).map((pid) => cpuOf(pid) - (backends.get(pid) ?? 0));
    return {
      ...Object.fromEntries(spent),
      PostgreSQL: queries.reduce((sum, ms) => sum + ms, 0),
    };
  };
}
