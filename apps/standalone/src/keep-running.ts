/** Restarts a service when it ends without having been stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type Exit, type Service } from '@portcullis/embedded';

export interface Keeper {
  readonly name: string;
  stop(): Promise<void>;
  /** The last resort; does not wait. */
  kill(): void;
}

export interface KeepOptions {
  name: string;
  start: () => Promise<Service>;
  /** Called at every end and every failed start. */
  onTrouble: (trouble: Trouble) => void;
  pause?: (failures: number) => number;
}

export type Trouble =
  | { kind: 'ended'; exit: Exit; service: Service }
  | { kind: 'not started'; error: unknown };

/** Whether the program exited by itself; false where a signal ended it. */
export function exitedByItself(trouble: Trouble): boolean {
  return trouble.kind === 'not started' || trouble.exit.signal === null;
}

export function describeFailure(trouble: Trouble): string {
  if (trouble.kind === 'ended') return `ended by itself (${describeExit(trouble.exit)})`;
  return trouble.error instanceof Error ? trouble.error.message : String(trouble.error);
}

/** A program that ran this long had no trouble at its start. */
const STEADY_MS = 30_000;

/** The first start must succeed. */
export async function keepRunning({
  name,
  start,
  onTrouble,
  pause = restartPause,
}: KeepOptions): Promise<Keeper> {
  const stopping = new AbortController();
  let service = await start();
  const watching = watch();

  async function watch(): Promise<void> {
    for (let failures = 0; ; ) {
      const since = Date.now();
      const exit = await service.exited;
      service.kill(); // its descendants
      if (stopping.signal.aborted) return;
      failures = Date.now() - since > STEADY_MS ? 1 : failures + 1;
      onTrouble({ kind: 'ended', exit, service });
      if (!(await startAgain(failures))) return;
    }
  }

  async function startAgain(failures: number): Promise<boolean> {
    for (let attempt = failures; ; attempt++) {
      await sleep(pause(attempt), undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return false;
      try {
        service = await start();
      } catch (error) {
        onTrouble({ kind: 'not started', error });
        continue;
      }
      if (!stopping.signal.aborted) return true;
      await service.stop();
      return false;
    }
  }

  return {
    name,
    kill: () => {
      stopping.abort();
      service.kill();
    },
    stop: async () => {
      stopping.abort();
      await service.stop();
      await watching;
    },
  };
}

/** 0.2 s, doubling, at most half a minute. */
export function restartPause(failures: number): number {
  return Math.min(200 * 2 ** (failures - 1), 30_000);
}
