/**
 * A pool of threads that move whole blobs: each has its own connections, hashes and writes. One
 * thread is limited by its CPU at about 700 MB/s, less with TLS. Threads start with the first large
 * blob and end when they are idle.
 */
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type OciError, unavailable } from '../oci-error.ts';
import type { TracedRequest, TransportParts } from '../remote/http/transport-parts.ts';
import type { BlobMovers, RemoteBlob } from './blob-movers.ts';
import type { BlobTask, FromThread, ToThread } from './messages.ts';
import { type MovingBlob, startMoving } from './moving-blob.ts';

export interface MoverPoolOptions {
  /** As many as there are cores, and four at most, if not given. */
  threads?: number | undefined;
  /** A thread ends after this time without a blob. */
  idleMs?: number | undefined;
  /** The program of a thread, for tests. */
  entry?: URL | undefined;
}

/** Below this size a thread costs more than it gains. */
const SMALL_BYTES = 1024 * 1024;
const MAX_THREADS = 4;
const IDLE_MS = 60_000;
/** After a thread was lost, blobs are moved on the main thread for this time. */
const REST_MS = 60_000;
/** The built package has the thread as JavaScript. */
const ENTRY = new URL(`./mover-thread${extname(import.meta.filename)}`, import.meta.url);
/** The bytes of blobs are outside the heap. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

export function createMoverPool(options: MoverPoolOptions = {}): BlobMovers {
  const most = options.threads ?? Math.min(MAX_THREADS, availableParallelism());
  const threads = new Set<MoverThread>();
  const transports = new WeakMap<TransportParts, number>();
  let lastTransport = 0;
  let lastTask = 0;
  let restsUntil = 0;
  let closed = false;

  const transportId = (parts: TransportParts) => {
    const known = transports.get(parts);
    if (known !== undefined) return known;
    lastTransport += 1;
    transports.set(parts, lastTransport);
    return lastTransport;
  };
  const start = () => {
    const entry = options.entry ?? ENTRY;
    const thread = new MoverThread(entry, options.idleMs ?? IDLE_MS, (isLost) => {
      threads.delete(thread);
      if (isLost) restsUntil = performance.now() + REST_MS;
    });
    threads.add(thread);
    return thread;
  };
  const choose = () => {
    const usable = [...threads].filter(({ isEnding }) => !isEnding);
    const [least] = usable.sort((one, other) => one.load - other.load);
    return least && (least.load === 0 || usable.length >= most) ? least : start();
  };

  return {
    // With one thread only the main thread would be idle.
    takes: (size) => most > 1 && !closed && size > SMALL_BYTES && performance.now() >= restsUntil,
    async move(blob, file, moveOptions) {
      moveOptions.signal?.throwIfAborted();
      lastTask += 1;
      const traced = tracedBlob(blob);
      const task = taskOf(blob, {
        ...{ id: lastTask, file, transport: transportId(blob.parts) },
        headers: traced?.headers,
      });
      const claimed = moveOptions.wrote !== undefined;
      const sealKey = moveOptions.follower?.key;
      try {
        await choose().move({ ...task, claimed, sealKey }, blob, moveOptions);
        traced?.ended({});
      } catch (error) {
        traced?.ended({ error });
        throw error;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** As one request: the thread repeats and redirects it by itself. */
function tracedBlob({ parts, session, path }: RemoteBlob): TracedRequest | null {
  const { hostname, port, pathname } = new URL(path, session.base);
  return parts.trace?.({ method: 'GET', hostname, port, pathname }) ?? null;
}

function taskOf(
  { parts, session, path, scopes, descriptor }: RemoteBlob,
  {
    headers,
    ...given
  }: Pick<BlobTask, 'id' | 'file' | 'transport'> & {
    headers: TracedRequest['headers'] | undefined;
  },
) {
  const { mediaType, digest, size } = descriptor;
  return {
    ...given,
    descriptor: { mediaType, digest, size },
    base: session.base.href,
    trust: session.trust,
    path,
    scopes,
    settings: headers ? { ...parts.settings, headers } : parts.settings,
  };
}

class MoverThread {
  readonly #worker: Worker;
  readonly #blobs = new Map<number, MovingBlob>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #idle: NodeJS.Timeout;
  #ending = false;
  #cause: unknown;

  constructor(entry: URL, idleMs: number, onEnd: (isLost: boolean) => void) {
    this.#worker = new Worker(entry, { resourceLimits: LIMITS });
    this.#idle = setTimeout(() => this.#blobs.size === 0 && void this.end(), idleMs).unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (cause) => {
      this.#cause = cause;
    });
    this.#worker.on('exit', () => {
      clearTimeout(this.#idle);
      const isLost = !this.#ending || this.#blobs.size > 0;
      onEnd(isLost);
      for (const blob of this.#blobs.values()) blob.lost(lost(this.#cause));
      this.#blobs.clear();
      this.#ended.resolve();
    });
  }

  get isEnding(): boolean {
    return this.#ending;
  }

  /** Bytes of the blobs that the thread has. */
  get load(): number {
    return [...this.#blobs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async move(
    task: Parameters<typeof startMoving>[0],
    blob: RemoteBlob,
    options: Parameters<BlobMovers['move']>[2],
  ): Promise<void> {
    const send = (message: ToThread) => this.#worker.postMessage(message);
    // The thread keeps the process alive while it has blobs.
    this.#worker.ref();
    const { moving, settled } = startMoving(task, { blob, options, send });
    this.#blobs.set(task.id, moving);
    try {
      await settled;
    } finally {
      this.#blobs.delete(task.id);
      if (this.#blobs.size === 0) this.#rest();
    }
  }

  /** Ends the thread once it has no blobs. */
  end(): Promise<void> {
    this.#ending = true;
    if (this.#blobs.size === 0) void this.#worker.terminate();
    return this.#ended.promise;
  }

  #rest(): void {
    this.#worker.unref();
    this.#idle.refresh();
    if (this.#ending) void this.end();
  }

  #receive(message: FromThread): void {
    this.#blobs.get(message.id)?.receive(message);
  }
}

function lost(cause: unknown): OciError {
  return unavailable('MOVER_LOST', 'the thread that moved the blob ended', { cause });
}
