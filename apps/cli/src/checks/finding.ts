import type { Surrounded } from '../connections.ts';

export interface DoctorFinding {
  about: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do. */
  advice?: string;
}

export type DoctorCheck = (call: Surrounded) => Promise<DoctorFinding[]>;

export function ok(about: string, message: string): DoctorFinding {
  return { about, state: 'ok', message };
}

export function warn(about: string, message: string, advice: string): DoctorFinding {
  return { about, state: 'warn', message, advice };
}

export function fail(about: string, message: string, advice: string): DoctorFinding {
  return { about, state: 'fail', message, advice };
}

const SKEW_WARN_MS = 2_000;
const SKEW_FAIL_MS = 30_000;

/** Sessions, tokens and leases are compared by these clocks. */
export function clock(
  about: string,
  theirs: number,
  interval: { from: number; to: number },
): DoctorFinding[] {
  const skew = Math.round(theirs - (interval.from + interval.to) / 2);
  if (Math.abs(skew) < SKEW_WARN_MS) return [];
  const message = `its clock is ${Math.abs(skew / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's`;
  const make = Math.abs(skew) < SKEW_FAIL_MS ? warn : fail;
  return [make(about, message, 'Set both clocks by NTP.')];
}
