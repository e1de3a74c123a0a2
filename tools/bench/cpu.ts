/** The CPU time and the memory of other processes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Cost } from './figures.ts';

/** CPU milliseconds of a process since its start; Linux counts them in hundredths of a second. */
function cpuOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The highest resident memory of a process, in KiB; 0 if it has ended. */
export function peakKib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

/** What a process that already runs takes for some work. */
export async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // The peak begins again (proc(5)).
  const [cpu, started] = [cpuOf(pid), performance.now()];
  await work();
  return {
    seconds: (performance.now() - started) / 1000,
    cpu: (cpuOf(pid) - cpu) / 1000,
    mib: peakKib(pid) / 1024,
  };
}

/** The server processes of PostgreSQL that have the database open. */
function backendsOf(database: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = readProc(pid, 'cmdline');
      return /^postgres: /.test(command) && command.includes(database);
    });
}

/** Empty for a process that has ended. */
export function readProc(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
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
