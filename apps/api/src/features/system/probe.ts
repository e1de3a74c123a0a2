/** Runs one dependency check with a timeout. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError, unavailable } from '@portcullis/errors';

export type DependencyCheck = () => Promise<string | null>;

export interface Probed {
  ok: boolean;
  message: string | null;
  latencyMs: number;
}

const TIMEOUT_MS = 2_000;

export async function probe(check: DependencyCheck): Promise<Probed> {
  const started = performance.now();
  const ended = new AbortController();
  try {
    const message = await Promise.race([check(), timeout(ended.signal)]);
    return { ok: true, message, latencyMs: elapsed(started) };
  } catch (error) {
    return {
      ok: false,
      message: isAppError(error) ? error.message : 'not reachable',
      latencyMs: elapsed(started),
    };
  } finally {
    ended.abort();
  }
}

async function timeout(signal: AbortSignal): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { signal });
  throw unavailable('PROBE_TIMEOUT', 'no answer in time');
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}
