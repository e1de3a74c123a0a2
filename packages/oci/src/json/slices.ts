/**
 * Runs long computations in slices: between two of them the event loop serves everything else. All
 * computations of the process share the slices, so that many of them hold the loop no longer than
 * one.
 */

/** A computation that stops where it may be interrupted; a step takes a millisecond at most. */
export type Steps<T> = Generator<void, T>;

const SLICE_MS = 5;
/** Most computations are done within this time: they wait for nothing. */
const START_MS = 1;
/** More would only hold memory for longer: each of them has a part of its result. */
const AT_ONCE = 4;

interface Computation {
  /** Runs one step; true after the last. */
  step(): boolean;
}

const waiting: Computation[] = [];
let isScheduled = false;

export function inSlices<T>(steps: Steps<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const step = () => {
    try {
      const { done, value } = steps.next();
      if (done) resolve(value);
      return done === true;
    } catch (error) {
      reject(error);
      return true;
    }
  };
  const end = performance.now() + START_MS;
  while (!step()) {
    if (performance.now() < end) continue;
    waiting.push({ step });
    schedule();
    break;
  }
  return promise;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(runSlice);
}

function runSlice(): void {
  isScheduled = false;
  const end = performance.now() + SLICE_MS;
  for (let turn = 0; waiting.length > 0 && performance.now() < end; turn += 1) {
    const at = turn % Math.min(AT_ONCE, waiting.length);
    if (waiting[at]?.step()) waiting.splice(at, 1);
  }
  if (waiting.length > 0) schedule();
}
