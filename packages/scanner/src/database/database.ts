/**
 * Updates the vulnerability database: downloads into a separate directory, checks the files, scans
 * a canary image with them, then switches. Scans never update by themselves: Trivy would remove the
 * database under other running scans.
 */
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { conflict, isAppError, unavailable } from '@portcullis/errors';
import { type Logger, ownDirectory, tryLock } from '@portcullis/runtime';
import { expireCachedLayers } from '../layers/layer-cache.ts';
import type { ScannerPaths } from '../paths.ts';
import type { Trivy } from '../scan/cli.ts';
import { openScanDir, type ScanDir } from '../scan/scan-dir.ts';
import { BboltDamaged } from './bbolt.ts';
import { writeBuckets } from './buckets.ts';
import { scanCanary } from './canary.ts';
import {
  type DatabaseState,
  DRAFT,
  linkFromCurrent,
  type Metadata,
  readDatabase,
  readMetadata,
  removeUnused,
  switchTo,
  writeSource,
} from './database-dir.ts';
import { clearDatabaseFailure, updateError, writeDatabaseFailure } from './database-failure.ts';
import { type DownloadOptions, download } from './download.ts';
import { writeChanges } from './write-changes.ts';

/** Where Aqua publishes the database; an air-gapped site configures its own copy. */
export const DEFAULT_REPOSITORIES = [
  'mirror.gcr.io/aquasec/trivy-db:2',
  'ghcr.io/aquasecurity/trivy-db:2',
];

export interface UpdateOptions extends DownloadOptions {
  /** `host/repository[:tag]`, tried in order. */
  repositories?: string[] | undefined;
  /** Updates even if the current version is not due yet, or is newer. */
  force?: boolean | undefined;
}

export interface UpdateResult {
  updated: boolean;
  database: DatabaseState;
}

export interface UpdateContext extends Trivy {
  paths: ScannerPaths;
  log: Logger;
}

/** @throws conflict `DATABASE_UPDATE_RUNNING`; unavailable `DATABASE_*` */
export async function updateDatabase(
  options: UpdateOptions,
  context: UpdateContext,
): Promise<UpdateResult> {
  const { paths } = context;
  const attempt = await tryLock(installLock(paths), 'heartbeat');
  if (!('lock' in attempt))
    throw conflict(
      'DATABASE_UPDATE_RUNNING',
      'the vulnerability database is being updated already',
    );
  await using _lock = attempt.lock;
  const present = await readDatabase(paths).catch(() => null);
  if (present && !options.force && !isOutdated(present, options))
    return { updated: false, database: present };
  await expireCachedLayers(paths.layers);
  await using dir = await openScanDir(paths.runs);
  const draft = join(paths.databases, `${DRAFT}${crypto.randomUUID()}`);
  try {
    const result = await replace(draft, present, options, { ...context, dir });
    await clearDatabaseFailure(paths);
    return result;
  } catch (cause) {
    const error = updateError(cause);
    if (isAppError(error)) await writeDatabaseFailure(paths, error);
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await removeUnused(paths);
  }
}

/** Held while the current version is replaced. */
export function installLock(paths: ScannerPaths): string {
  return join(paths.databases, 'update.lock');
}

interface RunContext extends UpdateContext {
  dir: ScanDir;
}

async function replace(
  draft: string,
  present: DatabaseState | null,
  options: UpdateOptions,
  context: RunContext,
): Promise<UpdateResult> {
  const { paths, log } = context;
  await mkdir(draft, { recursive: true });
  using _owned = await ownDirectory(draft);
  const repositories = options.repositories ?? DEFAULT_REPOSITORIES;
  const source = await download({ kind: 'db', cacheDir: draft, repositories }, options, context);
  const metadata = await inspect(draft, present, options, paths);
  if (present && !options.force && isSame(present, metadata, source))
    return { updated: false, database: present };
  await scanCanary({ ...context, databaseDir: draft, signal: options.signal });
  await listBuckets(draft);
  // Dates of different sources do not order them.
  if (present?.source === source && present.updatedAt !== metadata.UpdatedAt)
    await writeChanges(
      { dir: join(paths.databases, present.id), updatedAt: present.updatedAt },
      { dir: draft, updatedAt: metadata.UpdatedAt },
      { ...context, signal: options.signal },
    );
  await writeSource(draft, source);
  await linkFromCurrent(paths, draft, ['java-db']);
  const database = await install(draft, metadata, paths);
  log.info(
    { id: database.id, updatedAt: database.updatedAt, source },
    'vulnerability database updated',
  );
  return { updated: true, database };
}

async function listBuckets(draft: string): Promise<void> {
  try {
    await writeBuckets(draft);
  } catch (cause) {
    if (cause instanceof BboltDamaged) throw rejected(cause.message, cause);
    throw cause;
  }
}

/** The directory is renamed first, then linked as current. The caller holds `installLock`. */
export async function install(
  draft: string,
  metadata: Metadata,
  paths: ScannerPaths,
): Promise<DatabaseState> {
  const stamp = metadata.UpdatedAt.replace(/\D/g, '').slice(0, 14);
  const id = `${stamp}-${crypto.randomUUID().slice(0, 8)}`;
  await rename(draft, join(paths.databases, id));
  await switchTo(paths, id);
  const database = await readDatabase(paths);
  if (!database) throw rejected('it is gone again');
  return database;
}

function isOutdated(present: DatabaseState, options: UpdateOptions): boolean {
  const repositories = options.repositories ?? DEFAULT_REPOSITORIES;
  const isElsewhere = present.source !== null && !repositories.includes(present.source);
  return isElsewhere || Date.parse(present.nextUpdate) <= Date.now();
}

function isSame(present: DatabaseState, metadata: Metadata, source: string): boolean {
  return metadata.UpdatedAt === present.updatedAt && source === present.source;
}

/** A smaller file is no database; that of the tests, with eight advisories, has 64 KiB. */
const SIZE_FLOOR = 32 * 1024;

async function inspect(
  draft: string,
  present: DatabaseState | null,
  { force }: UpdateOptions,
  paths: ScannerPaths,
): Promise<Metadata> {
  const metadata = await readMetadata(draft, 'db').catch((cause) => {
    throw rejected('its metadata is missing or unreadable', cause);
  });
  const size = await sizeOf(draft);
  if (metadata.Version !== 2)
    throw rejected(`it has the schema version ${metadata.Version} instead of 2`);
  if (size < SIZE_FLOOR) throw rejected(`it has ${size} bytes`);
  if (!present || force) return metadata;
  if (Date.parse(metadata.UpdatedAt) < Date.parse(present.updatedAt))
    throw rejected('it is older than the present one');
  if (size < (await sizeOf(join(paths.databases, present.id))) / 2)
    throw rejected('it is less than half the size of the present one');
  return metadata;
}

async function sizeOf(dir: string): Promise<number> {
  return (await stat(join(dir, 'db', 'trivy.db')).catch(() => null))?.size ?? 0;
}

function rejected(why: string, cause?: unknown): Error {
  return unavailable('DATABASE_REJECTED', `the new vulnerability database was not taken: ${why}`, {
    cause,
  });
}
