/**
 * On whose behalf the running code works: the id of the API request or of the run of a schedule,
 * and the open span of a trace. Both are carried implicitly, as audit scopes are in the store, so
 * that no service has to pass them on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanRef } from './span.ts';

interface Trail {
  requestId: string | null;
  /** Null where nothing is traced. */
  span: SpanRef | null;
}

const NONE: Trail = { requestId: null, span: null };
const trails = new AsyncLocalStorage<Trail>();

export function trailNow(): Trail {
  return trails.getStore() ?? NONE;
}

/** Runs `work` with this part of the trail changed. */
export function along<T>(change: Partial<Trail>, work: () => T): T {
  return trails.run({ ...trailNow(), ...change }, work);
}

/** Runs `work` on behalf of a request; null: of none. */
export function forRequest<T>(requestId: string | null, work: () => T): T {
  return along({ requestId }, work);
}

/** The id of the request that the running code works for; null where there is none. */
export function requestIdNow(): string | null {
  return trailNow().requestId;
}
