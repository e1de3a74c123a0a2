/** The CPU time of other processes. */
import { readFileSync } from 'node:fs';

/** CPU milliseconds of a process since its start; Linux counts them in hundredths of a second. */
export function cpuOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
