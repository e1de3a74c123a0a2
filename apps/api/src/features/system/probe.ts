/** Runs one dependency check with a timeout. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError, unavailable } from '@portcullis/errors';

/** Something to know about a dependency that is not faulty: a code, and the same in English. */
interface Remark {
  code: string;
  message: string;
}

export type DependencyCheck = () => Promise<Remark | null>;

export interface Probed {
  ok: boolean;
  /** Why it is not ok, or what else is to be known; null where there is nothing to say. */
  code: string | null;
  /** The same in English. */
  message: string | null;
  latencyMs: number;
}

const TIMEOUT_MS = 2_000;
const UNREACHABLE = { code: 'PROBE_UNREACHABLE', message: 'not reachable' };

const patience = (signal: AbortSignal) => sleep(TIMEOUT_MS, undefined, { signal });

/** @param wait after which the dependency has not answered in time; ends with the signal */
export async function probe(check: DependencyCheck, wait = patience): Promise<Probed> {
  const started = performance.now();
  const ended = new AbortController();
  try {
    const remark = await Promise.race([check(), wait(ended.signal).then(refuse)]);
    const { code = null, message = null } = remark ?? {};
    return { ok: true, code, message, latencyMs: elapsed(started) };
  } catch (error) {
    const { code, message } = isAppError(error) ? error : UNREACHABLE;
    return { ok: false, code, message, latencyMs: elapsed(started) };
  } finally {
    ended.abort();
  }
}

function refuse(): never {
  throw unavailable('PROBE_TIMEOUT', 'no answer in time');
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}
