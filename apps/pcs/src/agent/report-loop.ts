/** Reports what runs: once it changed, and every few minutes, so that silence is noticed. */
import { REPORT_EVERY_MS } from '@portcullis/domain/admission';
import { backoffMs } from '@portcullis/oci/remote';

export interface ReportState {
  now: number;
  /** Whether what is in memory is what runs now. Else silence says that it is not known. */
  isCurrent: boolean;
  revision: number;
  /** The newest report that was accepted. */
  accepted: { revision: number; at: number } | null;
  /** When the newest report was tried, and how often it failed in a row. */
  tried: number | null;
  failures: number;
  /** From 0 to 1. */
  random: number;
}

/** Several pods change at once, and one report has them all. */
const APART_MS = 5_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 300_000;

export function isReportDue(state: ReportState): boolean {
  const { now, isCurrent, revision, accepted, tried } = state;
  if (!isCurrent) return false;
  if (tried !== null && now - tried < apartMs(state)) return false;
  if (state.failures > 0 || accepted === null) return true;
  return accepted.revision !== revision || now - accepted.at >= REPORT_EVERY_MS;
}

/** Agents that failed together do not come again together. */
function apartMs({ failures, random }: Pick<ReportState, 'failures' | 'random'>): number {
  return failures === 0
    ? APART_MS
    : waitMs({ failures, random, first: FIRST_RETRY_MS, last: LAST_RETRY_MS });
}

interface Wait {
  failures: number;
  random: number;
  first: number;
  last: number;
}

export function waitMs({ failures, random, first, last }: Wait): number {
  return backoffMs(Math.max(0, failures - 1), { baseMs: first, maxMs: last }, random);
}

export interface ReportPorts {
  isCurrent(): boolean;
  revision(): number;
  report(): Promise<void>;
  fault(error: unknown): void;
  now(): number;
  random(): number;
  /** About a second. */
  pause(): Promise<void>;
}

export async function keepReporting(ports: ReportPorts, isOver = () => false): Promise<void> {
  let accepted: ReportState['accepted'] = null;
  let tried: number | null = null;
  let failures = 0;
  // One number for each wait: a new one at each look would make the waits short.
  let random = ports.random();
  while (!isOver()) {
    const { isCurrent, revision, now } = ports;
    const state = { now: now(), isCurrent: isCurrent(), revision: revision() };
    if (isReportDue({ ...state, accepted, tried, failures, random })) {
      tried = state.now;
      random = ports.random();
      try {
        await ports.report();
        accepted = { revision: state.revision, at: state.now };
        failures = 0;
      } catch (error) {
        failures += 1;
        ports.fault(error);
      }
    }
    await ports.pause();
  }
}
