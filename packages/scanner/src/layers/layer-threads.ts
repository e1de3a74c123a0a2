/** The threads that read layers. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AppError } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import { Piscina } from 'piscina';
import type * as Thread from './layer-thread.ts';

type Work = Pick<typeof Thread, 'archive' | 'grown' | 'packed'>;
type ReplyOf<Name extends keyof Work> = Awaited<ReturnType<Work[Name]>>;
type ValueOf<Name extends keyof Work> = Extract<ReplyOf<Name>, { value: unknown }>['value'];

export interface LayerThreads {
  /**
   * A thread ends where its task is aborted. A file of the task is the thread's.
   * @throws AppError of `layerFault`; the signal's reason; Error where the thread was lost
   */
  run<Name extends keyof Work>(
    name: Name,
    task: Parameters<Work[Name]>[0],
    signal?: AbortSignal,
  ): Promise<ValueOf<Name>>;
  /**
   * Runs what no verdict waits for, one task at a time: it takes no thread that verdicts need.
   * @throws as `run`
   */
  runLater(task: Parameters<Work['packed']>[0]): Promise<ValueOf<'packed'>>;
  /** Aborted by `close`. */
  closed: AbortSignal;
  /** Ends them, whatever they do. */
  close(): Promise<void>;
}

/** How many of them may wait for bytes that are still downloaded. */
export const FOLLOWING_THREADS = 2;

/** They start with the first layer, and end when there was none for a while. */
export function createLayerThreads(log?: Pick<Logger, 'error'>): LayerThreads {
  const closing = new AbortController();
  const threads = new Piscina({
    filename: fileURLToPath(new URL('./layer-thread.ts', import.meta.url)),
    minThreads: 0,
    // A layer is unpacked while another one is read, and several images are scanned at once.
    maxThreads: FOLLOWING_THREADS + Math.min(4, Math.max(2, availableParallelism())),
    idleTimeout: 600_000,
    // The bytes of layers are outside the heap.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  });
  // Of a thread without a task; another one takes its place.
  threads.on('error', (err: unknown) => log?.error({ err }, 'a thread that reads layers failed'));
  let before: Promise<unknown> = Promise.resolve();
  const run: LayerThreads['run'] = async (name, task, signal) => {
    signal?.throwIfAborted();
    const transferList = 'file' in task ? [task.file] : [];
    const options = { name, transferList, ...(signal && { signal }) };
    const reply = await threads.run(task, options).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
    if ('value' in reply) return reply.value;
    const { kind, code, message, because }: Thread.ThreadFault = reply.fault;
    throw new AppError(kind, code, message, { cause: new Error(because) });
  };
  return {
    run,
    runLater(task) {
      const running = before.then(() => run('packed', task));
      before = running.catch(() => {});
      return running;
    },
    closed: closing.signal,
    close() {
      closing.abort();
      return threads.destroy();
    },
  };
}
