/**
 * Acquires the Trivy binary while everything else already runs, and informs the worker by the state
 * file.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ScannerPort {
  /**
   * Finds, downloads or builds the binary.
   *
   * @param mayBuild resolves when the processor is free for a build
   * @param onBuild called when a build begins
   */
  acquire(
    signal: AbortSignal,
    mayBuild: Promise<unknown>,
    onBuild: () => void,
  ): Promise<{ path: string; version: string | null }>;
  write(state: ScannerFileState): Promise<void>;
  /** What else it lacks for a scan, which the worker downloads; null where nothing is missing. */
  lacks(): Promise<string | null>;
}

export interface ScannerFileState {
  state: 'acquiring' | 'building' | 'ready' | 'unavailable';
  path: string | null;
  version: string | null;
  message: string;
}

export interface KeepScannerOptions {
  port: Pick<ScannerPort, 'acquire' | 'write'>;
  mayBuild: Promise<unknown>;
  log: (text: string) => void;
  /** Called with each state after it was written. */
  onState?: ((state: ScannerFileState) => void) | undefined;
  signal: AbortSignal;
  retryMs?: number;
}

const RETRY_MS = 10 * 60_000;

/** Retries until it succeeds or is stopped: a network that is down now may be up later. */
export async function keepScanner(options: KeepScannerOptions): Promise<void> {
  while (!options.signal.aborted && !(await attempt(options))) {
    await sleep(options.retryMs ?? RETRY_MS, undefined, { signal: options.signal }).catch(() => {});
  }
}

const NOT_YET = { path: null, version: null };

async function attempt(options: KeepScannerOptions): Promise<boolean> {
  const { port, mayBuild, log, onState, signal } = options;
  const report = async (state: ScannerFileState) => {
    await port.write(state);
    onState?.(state);
  };
  let building = Promise.resolve();
  try {
    await report({ state: 'acquiring', ...NOT_YET, message: 'the scanner is being set up' });
    const onBuild = () => {
      const message = 'the scanner is being built, which takes five to ten minutes';
      building = report({ state: 'building', ...NOT_YET, message });
    };
    const { path, version } = await port.acquire(signal, mayBuild, onBuild);
    await building;
    await report({ state: 'ready', path, version, message: '' });
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    const message = error instanceof Error ? error.message : String(error);
    log(`the scanner can't be set up: ${message}`);
    await building;
    await report({ state: 'unavailable', ...NOT_YET, message });
    return false;
  }
}
