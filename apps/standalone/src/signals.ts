/** Ctrl-C once: an orderly stop. A second time: at once. */

export interface SignalPort {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

export interface StopRequests {
  onStop: (why: string) => void;
  onForce: () => void;
}

/**
 * One Ctrl-C may arrive several times: the terminal sends it to the whole process group, and npm
 * and our script forward theirs. Signals within a second of the first count as the first.
 */
const ECHO_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function listenForStop(
  port: SignalPort,
  { onStop, onForce }: StopRequests,
  now: () => number = Date.now,
): void {
  let first: number | null = null;
  const take = (signal: string) => {
    if (first === null) {
      first = now();
      onStop(signal);
    } else if (now() - first > ECHO_MS) {
      onForce();
    }
  };
  for (const signal of SIGNALS) port.on(signal, () => take(signal));
}

/** Calls back once the process that started us is gone: it can no longer forward signals. */
export function watchParent(parent: number, ppid: () => number, onGone: () => void): void {
  const timer = setInterval(() => {
    if (ppid() === parent) return;
    clearInterval(timer);
    onGone();
  }, 1000);
  timer.unref();
}
