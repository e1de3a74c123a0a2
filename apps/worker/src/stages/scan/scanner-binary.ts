/** The scanner that comes with a container: every process learns of it by the state file, as from the supervisor. */

import type { Logger, Part } from '@portcullis/runtime';
import {
  acquireTrivy,
  type BinaryState,
  type DatabaseState,
  type Scanner,
  scannerPaths,
  writeBinaryState,
} from '@portcullis/scanner';
import type { StorageScanner } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';

type Settings = Pick<WorkerConfig, 'DATA_DIR' | 'TRIVY_ENABLED' | 'TRIVY_PATH'>;

/** One that is missing or refused stops no worker: pulls and pushes go on, and scans say what is wrong. */
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
    // Only looked at: with a path given, nothing is fetched or built.
    const { path, version } = await acquireTrivy({
      trivyPath,
      cacheDir: '/nonexistent',
      env: {},
      log,
    });
    return { state: 'ready', path, version, message: '' };
  } catch (error) {
    log.error({ err: error, path: trivyPath }, 'the scanner can not be used');
    const message = error instanceof Error ? error.message : String(error);
    return { state: 'unavailable', path: null, version: null, message };
  }
}

const OFF = 'this installation runs without a scanner (TRIVY_ENABLED)';

/** What the api says of the scanner, which has no DATA_DIR. */
export async function scannerSeen(
  { TRIVY_ENABLED }: Pick<Settings, 'TRIVY_ENABLED'>,
  scanner: Pick<Scanner, 'state'>,
): Promise<StorageScanner> {
  const { binary, version, message, available, database, javaDownload } = await scanner.state();
  if (!TRIVY_ENABLED)
    return {
      binary: 'unavailable',
      version,
      message: OFF,
      available: false,
      database: null,
      javaDownload: null,
    };
  return {
    binary,
    version,
    message,
    available,
    database: database && databaseSeen(database),
    javaDownload,
  };
}

/** Without its age, which is different each time. */
function databaseSeen(database: DatabaseState): NonNullable<StorageScanner['database']> {
  const { updatedAt, nextUpdate, source, javaUpdatedAt, javaDownloadedAt } = database;
  return { updatedAt, nextUpdate, source, javaUpdatedAt, javaDownloadedAt };
}
