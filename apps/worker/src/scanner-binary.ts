/** The scanner that comes with a container: every process learns of it by the state file, as from the supervisor. */

import type { Logger, Part } from '@portcullis/runtime';
import { acquireTrivy, type BinaryState, scannerPaths, writeBinaryState } from '@portcullis/scanner';
import type { WorkerConfig } from './config.ts';

type Settings = Pick<WorkerConfig, 'DATA_DIR' | 'TRIVY_ENABLED' | 'TRIVY_PATH'>;

/** One that is missing or refused stops no worker: pulls and pushes go on, and scans say what is wrong. */
export function scannerBinary({ DATA_DIR, TRIVY_ENABLED, TRIVY_PATH }: Settings, log: Logger): Part {
  return {
    async start() {
      if (!TRIVY_ENABLED || TRIVY_PATH === undefined) return;
      await writeBinaryState(scannerPaths(DATA_DIR).state, await stateOf(TRIVY_PATH, log));
    },
  };
}

async function stateOf(trivyPath: string, log: Logger): Promise<Omit<BinaryState, 'at'>> {
  try {
    // Only looked at: with a path given, nothing is fetched or built.
    const { path, version } = await acquireTrivy({ trivyPath, cacheDir: '/nonexistent', env: {}, log });
    return { state: 'ready', path, version, message: '' };
  } catch (error) {
    log.error({ err: error, path: trivyPath }, 'the scanner can not be used');
    const message = error instanceof Error ? error.message : String(error);
    return { state: 'unavailable', path: null, version: null, message };
  }
}
