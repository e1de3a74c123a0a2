/**
 * Writes the state file of a Trivy binary that comes with the container, as the supervisor does
 * elsewhere.
 */

import type { Logger, Part } from '@portcullis/runtime';
import {
  type BinaryState,
  checkTrivy,
  type DatabaseState,
  type Scanner,
  scannerPaths,
  writeBinaryState,
} from '@portcullis/scanner';
import type { StorageScanner } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';

type Settings = Pick<WorkerConfig, 'DATA_DIR' | 'TRIVY_ENABLED' | 'TRIVY_PATH'>;

/**
 * A missing or refused binary doesn't stop the worker: pulls and pushes run, scans report the
 * fault.
 */
export function scannerBinary(
  { DATA_DIR, TRIVY_ENABLED, TRIVY_PATH }: Settings,
  log: Logger,
): Part {
  return {
    async start() {
      if (!TRIVY_ENABLED || TRIVY_PATH === undefined) return;
      await writeBinaryState(scannerPaths(DATA_DIR).state, await stateOf(TRIVY_PATH, log));
    },
  };
}

async function stateOf(trivyPath: string, log: Logger): Promise<Omit<BinaryState, 'at'>> {
  try {
    const version = await checkTrivy(trivyPath);
    return { state: 'ready', path: trivyPath, version, message: '' };
  } catch (error) {
    log.error({ err: error, path: trivyPath }, 'the scanner can not be used');
    const message = error instanceof Error ? error.message : String(error);
    return { state: 'unavailable', path: null, version: null, message };
  }
}

const OFF = 'this installation runs without a scanner (TRIVY_ENABLED)';

/** The scanner's state as the api shows it. The api has no DATA_DIR. */
export async function scannerSeen(
  { TRIVY_ENABLED }: Pick<Settings, 'TRIVY_ENABLED'>,
  scanner: Pick<Scanner, 'state'>,
): Promise<StorageScanner> {
  const { database, ...state } = await scanner.state();
  const { version } = state;
  if (!TRIVY_ENABLED)
    return {
      binary: 'unavailable',
      version,
      message: OFF,
      available: false,
      database: null,
      databaseFailure: null,
      javaDownload: null,
    };
  return { ...state, database: database && databaseSeen(database) };
}

/** Without the age, which would change with every heartbeat. */
function databaseSeen(database: DatabaseState): NonNullable<StorageScanner['database']> {
  const { updatedAt, nextUpdate, source, javaUpdatedAt, javaDownloadedAt } = database;
  return { updatedAt, nextUpdate, source, javaUpdatedAt, javaDownloadedAt };
}
