/**
 * The updater: download into a directory of its own, doubt what came, try it on a canary, then switch. Scans never
 * update by themselves: a scanner that does so removes the database under those that run (trivy.md § 3).
 */
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, conflict, invalid, unavailable } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import { flyCanary } from './canary.ts';
import { runDownload } from './cli.ts';
import {
  currentId,
  type DatabaseState,
  DRAFT,
  type Metadata,
  readDatabase,
  readMetadata,
  removeUnused,
  switchTo,
  writeSource,
} from './database-dir.ts';
import { forgetOldLayers } from './layer-memory.ts';
import { tryLock } from './lock.ts';
import type { ScannerPaths } from './paths.ts';
import type { RunResult } from './process.ts';
import { openScanDir, removeAbandonedScanDirs, type ScanDir } from './scan-dir.ts';

/** As the scanner's makers publish it; an air-gapped site names its own copy. */
export const DEFAULT_REPOSITORIES = ['mirror.gcr.io/aquasec/trivy-db:2', 'ghcr.io/aquasecurity/trivy-db:2'];
const JAVA_REPOSITORIES = ['mirror.gcr.io/aquasec/trivy-java-db:1', 'ghcr.io/aquasecurity/trivy-java-db:1'];

export interface UpdateOptions {
  /** `host/repository[:tag]`, tried in order. */
  repositories?: string[] | undefined;
  /**
   * Of the index of Java archives, 400 MB and more. Where none is named, it is fetched from its makers as the database
   * is, once a scan has met an archive; whoever names a database of their own names this as well.
   */
  javaRepositories?: string[] | undefined;
  /** The login of a repository, if it wants one; shown to that repository's host alone. */
  credentials?: ((repository: string) => { username: string; password: string } | undefined) | undefined;
  /** Whether a repository comes by plain HTTP, or with a certificate nobody vouches for. */
  insecure?: ((repository: string) => boolean) | undefined;
  /** Also when the present one is not due yet, or newer. */
  force?: boolean | undefined;
  timeoutSeconds?: number | undefined;
  /** Added to the downloader's environment: proxies, SSL_CERT_FILE. */
  env?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export interface UpdateResult {
  updated: boolean;
  database: DatabaseState;
}

export interface UpdateContext {
  trivyPath: string;
  paths: ScannerPaths;
  log: Logger;
}

/** @throws conflict `DATABASE_UPDATE_RUNNING`; unavailable `DATABASE_*` */
export async function updateDatabase(asked: UpdateOptions, context: UpdateContext): Promise<UpdateResult> {
  const { paths } = context;
  const options = { ...asked, javaRepositories: await javaRepositoriesOf(asked, paths) };
  await using lock = await tryLock(join(paths.databases, 'update.lock'));
  if (!lock) throw conflict('DATABASE_UPDATE_RUNNING', 'the vulnerability database is being updated already');
  const present = await readDatabase(paths).catch(() => null);
  if (present && !options.force && !isDue(present, options)) return { updated: false, database: present };
  await removeAbandonedScanDirs(paths.runs);
  await forgetOldLayers(paths.layers);
  await using dir = await openScanDir(paths.runs);
  const draft = join(paths.databases, `${DRAFT}${crypto.randomUUID()}`);
  try {
    return await replace(draft, present, options, { ...context, dir });
  } finally {
    await rm(draft, { recursive: true, force: true });
    await removeUnused(paths);
  }
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
  const javaAlone = present !== null && !options.force && !isOutdated(present, options);
  // First what is missing: else a database that is fresh would be fetched each time, and for nothing.
  const broughtJava = javaAlone && (await addJavaDatabase(draft, options, context));
  if (javaAlone && !broughtJava) return { updated: false, database: present };
  const source = await download(draft, 'db', options.repositories ?? DEFAULT_REPOSITORIES, options, context);
  const metadata = await inspect(draft, present, options, paths);
  const hasNewJava = broughtJava || (await addJavaDatabase(draft, options, context));
  if (present && !options.force && !hasNewJava && isSame(present, metadata, source))
    return { updated: false, database: present };
  await flyCanary({ ...context, databaseDir: draft, signal: options.signal });
  await writeSource(draft, source);
  await install(draft, metadata, paths);
  const database = await readDatabase(paths);
  if (!database) throw rejected('it is gone again');
  log.info({ id: database.id, updatedAt: database.updatedAt, source }, 'vulnerability database updated');
  return { updated: true, database };
}

/** Renamed first, then pointed at. */
async function install(draft: string, metadata: Metadata, paths: ScannerPaths): Promise<void> {
  const stamp = metadata.UpdatedAt.replace(/\D/g, '').slice(0, 14);
  const id = `${stamp}-${crypto.randomUUID().slice(0, 8)}`;
  await rename(draft, join(paths.databases, id));
  await switchTo(paths, id);
}

function isDue(present: DatabaseState, options: UpdateOptions): boolean {
  return isOutdated(present, options) || lacksJava(present, options);
}

function isOutdated(present: DatabaseState, options: UpdateOptions): boolean {
  const repositories = options.repositories ?? DEFAULT_REPOSITORIES;
  const isElsewhere = present.source !== null && !repositories.includes(present.source);
  return isElsewhere || Date.parse(present.nextUpdate) <= Date.now();
}

function isSame(present: DatabaseState, metadata: Metadata, source: string): boolean {
  return metadata.UpdatedAt === present.updatedAt && source === present.source;
}

async function javaRepositoriesOf(options: UpdateOptions, { javaWanted }: ScannerPaths): Promise<string[]> {
  if (options.javaRepositories || options.repositories) return options.javaRepositories ?? [];
  return (await stat(javaWanted).catch(() => null)) ? JAVA_REPOSITORIES : [];
}

function lacksJava(present: DatabaseState, { javaRepositories = [] }: UpdateOptions): boolean {
  return javaRepositories.length > 0 && present.javaUpdatedAt === null;
}

/** Smaller is no database; the tests' own, of eight advisories, has 64 KiB. */
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
  if (metadata.Version !== 2) throw rejected(`it has the schema version ${metadata.Version} instead of 2`);
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

/**
 * The repository that had it. One after the other: each failure is reported separately, and a download, which shows its
 * login to every host in its list, knows one host.
 */
async function download(
  cacheDir: string,
  kind: 'db' | 'java-db',
  repositories: string[],
  options: UpdateOptions,
  context: RunContext,
): Promise<string> {
  let failure: AppError | undefined;
  for (const repository of repositories) {
    const timeoutMs = (options.timeoutSeconds ?? 1_800) * 1000;
    const ask = { kind, cacheDir, repositories: [repository], timeoutMs };
    const env = downloadEnv(repository, options);
    const result = await runDownload({ ...context, signal: options.signal }, ask, env);
    if (result.code === 0) return repository;
    context.log.warn(
      { repository, stderr: result.stderr.slice(-2_000) },
      'vulnerability database not downloaded',
    );
    failure ??= downloadError(repository, result);
  }
  throw (
    failure ?? invalid('DATABASE_SOURCE_INVALID', 'no repository is named for the vulnerability database')
  );
}

function downloadEnv(
  repository: string,
  { credentials, insecure, env }: UpdateOptions,
): Record<string, string> {
  const login = credentials?.(repository);
  return {
    ...env,
    ...(login && { TRIVY_USERNAME: login.username, TRIVY_PASSWORD: login.password }),
    ...(insecure?.(repository) && { TRIVY_INSECURE: 'true' }),
  };
}

/**
 * 400 MB that change once a day: taken over from the present version while they are fresh, and where there are no newer
 * ones to be had, for the advisories matter more. True when it is newer than the present one.
 */
async function addJavaDatabase(draft: string, options: UpdateOptions, context: RunContext): Promise<boolean> {
  const repositories = options.javaRepositories ?? [];
  if (repositories.length === 0) return false;
  const id = await currentId(context.paths);
  const present = id === null ? null : join(context.paths.databases, id);
  const metadata = present && (await readMetadata(present, 'java-db').catch(() => null));
  const isFresh = metadata && Date.parse(metadata.NextUpdate) > Date.now();
  if (!isFresh && (await downloadJava(draft, repositories, options, context))) return true;
  if (present && metadata) await linkAll(join(present, 'java-db'), join(draft, 'java-db'));
  return false;
}

async function downloadJava(
  draft: string,
  repositories: string[],
  options: UpdateOptions,
  context: RunContext,
): Promise<boolean> {
  try {
    await download(draft, 'java-db', repositories, options, context);
    return true;
  } catch (err) {
    options.signal?.throwIfAborted();
    context.log.warn({ err }, 'the index of Java archives was not downloaded: they are left out of scans');
    await rm(join(draft, 'java-db'), { recursive: true, force: true });
    return false;
  }
}

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await link(join(from, name), join(to, name));
}

/** First match wins. */
const SIGNS: [RegExp, string][] = [
  [/UNAUTHORIZED|DENIED|401 |403 /, 'the registry refused the credentials'],
  [/MANIFEST_UNKNOWN|NAME_UNKNOWN|404 /, 'the registry has no such repository or tag'],
  [/TOOMANYREQUESTS|429 /, 'the registry asks to come back later'],
  [/no space left on device/, 'the disk is full'],
  [/connection refused|no such host|i\/o timeout|network is unreachable/, "the registry can't be reached"],
  [/x509|certificate|HTTP response to HTTPS client/, "the registry's certificate was not accepted"],
  [/deadline exceeded/, 'it took too long'],
];

function downloadError(repository: string, { stderr, timedOut }: RunResult): AppError {
  const sign = timedOut ? 'it took too long' : SIGNS.find(([pattern]) => pattern.test(stderr))?.[1];
  return unavailable(
    'DATABASE_DOWNLOAD_FAILED',
    `the vulnerability database was not downloaded from ${repository}: ${sign ?? 'the download failed'}`,
    { cause: new Error(stderr.slice(-2_000)) },
  );
}

function rejected(why: string, cause?: unknown): AppError {
  return unavailable('DATABASE_REJECTED', `the new vulnerability database was not taken: ${why}`, { cause });
}
