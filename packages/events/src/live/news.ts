/** Wakes callers that wait for a change of a job or a transfer. */
import type { ProgressEvent } from './progress.ts';

interface News {
  /** The id of the newest event that concerns it; several of them at once count as one. */
  next(): Promise<string>;
}

/** Events may be lost, and then nothing wakes the caller: it looks by itself as well. */
export function openNews(
  subscribe: (options: { since: null; signal: AbortSignal }) => AsyncIterable<ProgressEvent>,
  concerns: (event: ProgressEvent) => boolean,
  signal: AbortSignal,
): News {
  let wake = Promise.withResolvers<string>();
  void (async () => {
    for await (const event of subscribe({ since: null, signal }))
      if (event.kind !== 'progress' && concerns(event)) wake.resolve(event.id);
  })().catch(() => {});
  return {
    async next() {
      const id = await wake.promise;
      wake = Promise.withResolvers();
      return id;
    },
  };
}
