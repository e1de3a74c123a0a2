/** The running jobs of a consumer, each with its abort signal. */
export interface Running {
  track<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  abort(id: string, reason: Error): void;
  abortAll(reason: Error): void;
  size(): number;
}

export function createRunning(): Running {
  // Keyed by controller, because an entry that was delivered twice runs twice for a moment.
  const controllers = new Map<AbortController, string>();

  function abortWhere(matches: (id: string) => boolean, reason: Error): void {
    for (const [controller, id] of controllers) if (matches(id)) controller.abort(reason);
  }

  return {
    async track(id, work) {
      const controller = new AbortController();
      controllers.set(controller, id);
      try {
        return await work(controller.signal);
      } finally {
        controllers.delete(controller);
      }
    },
    abort: (id, reason) => abortWhere((running) => running === id, reason),
    abortAll: (reason) => abortWhere(() => true, reason),
    size: () => controllers.size,
  };
}
