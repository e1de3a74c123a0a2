/**
 * Updates the index of Java archives: several hundred megabytes, so it is downloaded separately
 * from the advisories and no scan waits for it. Afterwards a new database version that includes it
 * becomes current.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { lock, ownDirectory, tryLock } from '@portcullis/runtime';
import type { ScannerPaths } from '../paths.ts';
import { openScanDir } from '../scan/scan-dir.ts';
import { DEFAULT_REPOSITORIES, install, installLock, type UpdateContext } from './database.ts';
import {
  type DatabaseState,
  DRAFT,
  linkFromCurrent,
  readDatabase,
  readMetadata,
  removeUnused,
} from './database-dir.ts';
import { updateError } from './database-failure.ts';
import { type DownloadOptions, download } from './download.ts';
import { trackJavaDownload } from './java-state.ts';

const DEFAULT_JAVA_REPOSITORIES = [
  'mirror.gcr.io/aquasec/trivy-java-db:1',
  'ghcr.io/aquasecurity/trivy-java-db:1',
];

export interface JavaUpdateOptions extends DownloadOptions {
  /** Repositories of the Java index; defaults to those derived from `repositories`. */
  javaRepositories?: string[] | undefined;
  /** Repositories of the advisories. */
  repositories?: string[] | undefined;
}

/** `host/system/trivy-db:2` → `host/system/trivy-java-db:1` */
function javaRepositoriesOf({ javaRepositories, repositories }: JavaUpdateOptions): string[] {
  if (javaRepositories) return javaRepositories;
  if (!repositories || repositories === DEFAULT_REPOSITORIES) return DEFAULT_JAVA_REPOSITORIES;
  return repositories.map((each) => each.replace(/[^/]*$/, 'trivy-java-db:1'));
}

/** Whether there is no index, or a newer one should be published by now. */
export async function isJavaIndexDue(paths: ScannerPaths): Promise<boolean> {
  const present = await readDatabase(paths);
  if (!present) return false;
  return present.javaNextUpdate === null || Date.parse(present.javaNextUpdate) <= Date.now();
}

/**
 * Returns null where another process is updating it or none is due. @throws unavailable
 * `DATABASE_*`
 */
export async function updateJavaIndex(
  options: JavaUpdateOptions,
  context: UpdateContext,
): Promise<DatabaseState | null> {
  const { paths, log } = context;
  const attempt = await tryLock(join(paths.databases, 'java.lock'), 'heartbeat');
  if (!('lock' in attempt)) return null;
  await using _running = attempt.lock;
  if (!(await isJavaIndexDue(paths))) return null;
  const draft = join(paths.databases, `${DRAFT}${crypto.randomUUID()}`);
  await using dir = await openScanDir(paths.runs);
  await using progress = await trackJavaDownload(paths, [draft, dir.tmp], log);
  try {
    await mkdir(draft, { recursive: true });
    using _owned = await ownDirectory(draft);
    const repositories = javaRepositoriesOf(options);
    const source = await download({ kind: 'java-db', cacheDir: draft, repositories }, options, {
      ...context,
      dir,
    });
    const database = await installIndex(draft, paths, options.signal);
    log.info({ updatedAt: database.javaUpdatedAt, source }, 'index of Java archives updated');
    return database;
  } catch (cause) {
    const error = updateError(cause);
    progress.failed(error);
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The advisories may have been updated during the download: the current ones are kept. */
async function installIndex(
  draft: string,
  paths: ScannerPaths,
  signal: AbortSignal | undefined,
): Promise<DatabaseState> {
  const index = await readMetadata(draft, 'java-db').catch((cause) => {
    throw rejected('its metadata is missing or unreadable', cause);
  });
  if (index.Version !== 1)
    throw rejected(`it has the schema version ${index.Version} instead of 1`);
  await using _installing = await lock(installLock(paths), 'heartbeat', { signal });
  await linkFromCurrent(paths, draft, ['db', 'buckets.json', 'source.json']);
  const metadata = await readMetadata(draft, 'db');
  const database = await install(draft, metadata, paths);
  await removeUnused(paths);
  return database;
}

function rejected(why: string, cause?: unknown): Error {
  return unavailable('DATABASE_REJECTED', `the new index of Java archives was not taken: ${why}`, {
    cause,
  });
}
