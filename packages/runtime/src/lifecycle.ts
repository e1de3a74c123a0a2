import type { Logger } from './logger.ts';

/** Starts and stops the parts of a process, in order. */
export interface Part {
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

export interface LifecycleOptions {
  log: Pick<Logger, 'info' | 'error' | 'warn'>;
  /** How long all stops together may take. */
  graceMs: number;
  /**
   * Source of signals and receiver of exit codes; tests provide their own. Default: this process.
   */
  process?: ProcessPort | undefined;
}

interface ProcessPort {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

export interface Lifecycle {
  /** Parts are started in this order and stopped in reverse. */
  add(name: string, part: Part): void;
  /**
   * Starts all parts and stops those that had started when one fails. SIGTERM and SIGINT stop
   * everything and exit from here on.
   */
  start(): Promise<void>;
  /** Idempotent: all callers wait for the same stop. */
  stop(reason: string): Promise<void>;
  /** True between the end of start and the beginning of stop. */
  ready(): boolean;
}

interface Named extends Part {
  name: string;
}

export function createLifecycle({
  log,
  graceMs,
  process: port = process,
}: LifecycleOptions): Lifecycle {
  const parts: Named[] = [];
  const started: Named[] = [];
  let ready = false;
  let stopping: Promise<void> | null = null;

  function add(name: string, { start, stop }: Part): void {
    parts.push({ name, ...(start && { start }), ...(stop && { stop }) });
  }

  async function start(): Promise<void> {
    port.on('SIGTERM', onTerm);
    port.on('SIGINT', onInt);
    for (const part of parts) {
      if (stopping) return;
      // Added before its start: a part that fails halfway may hold resources to release.
      started.push(part);
      try {
        await part.start?.();
      } catch (error) {
        log.error({ err: error, part: part.name }, 'a part did not start');
        await stop(`${part.name} did not start`);
        throw error;
      }
    }
    ready = !stopping;
  }

  function stop(reason: string): Promise<void> {
    stopping ??= stopAll(reason);
    return stopping;
  }

  async function stopAll(reason: string): Promise<void> {
    ready = false;
    log.info({ reason }, 'stopping');
    const late = await withinGrace(stopInReverse(), graceMs);
    if (late) log.error({ graceMs }, 'not everything stopped within the grace time');
    port.off('SIGTERM', onTerm);
    port.off('SIGINT', onInt);
  }

  async function stopInReverse(): Promise<void> {
    for (const part of started.toReversed()) {
      try {
        await part.stop?.();
      } catch (error) {
        log.error({ err: error, part: part.name }, 'a part did not stop cleanly');
      }
    }
  }

  const onTerm = (): void => void stop('SIGTERM').then(() => port.exit(0));
  const onInt = (): void => void stop('SIGINT').then(() => port.exit(0));

  return { add, start, stop, ready: () => ready };
}

async function withinGrace(work: Promise<void>, graceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), graceMs);
  });
  const result = await Promise.race([work.then(() => false), late]);
  clearTimeout(timer);
  return result;
}
