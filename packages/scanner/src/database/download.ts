/** Fetches a database of the scanner's from a registry, with the scanner itself as the downloader: it streams to disk. */
import { type AppError, invalid, unavailable } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import { runDownload } from '../scan/cli.ts';
import type { RunResult } from '../scan/process.ts';
import type { ScanDir } from '../scan/scan-dir.ts';

export interface DownloadOptions {
  /** The login of a repository, if it wants one; shown to that repository's host alone. */
  credentials?:
    | ((repository: string) => { username: string; password: string } | undefined)
    | undefined;
  /** Whether a repository is reached by plain HTTP, or with a certificate that no authority signed. */
  insecure?: ((repository: string) => boolean) | undefined;
  /** Where a repository can be reached during one download, if the scanner can't dial its registry; else null. */
  relay?: ((repository: string) => Promise<RepositoryRelay | null>) | undefined;
  timeoutSeconds?: number | undefined;
  /** Added to the downloader's environment: proxies, SSL_CERT_FILE. */
  env?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export interface RepositoryRelay extends AsyncDisposable {
  /** By plain HTTP. */
  repository: string;
  credentials: { username: string; password: string };
}

export interface DownloadContext {
  trivyPath: string;
  dir: ScanDir;
  log: Logger;
}

export interface Wanted {
  kind: 'db' | 'java-db';
  /** Where it arrives: in the directory `kind` beneath. */
  cacheDir: string;
  /** `host/repository[:tag]`, tried in order. */
  repositories: readonly string[];
}

/**
 * The repository that had it. One after the other: each failure is reported separately, and a download, which shows its
 * login to every host in its list, knows one host.
 */
export async function download(
  { kind, cacheDir, repositories }: Wanted,
  options: DownloadOptions,
  context: DownloadContext,
): Promise<string> {
  let failure: AppError | undefined;
  for (const repository of repositories) {
    const timeoutMs = (options.timeoutSeconds ?? 1_800) * 1000;
    await using relay = (await options.relay?.(repository)) ?? null;
    const ask = { kind, cacheDir, repositories: [relay?.repository ?? repository], timeoutMs };
    const env = envOf(repository, relay ? { ...options, ...reachedBy(relay) } : options);
    const result = await runDownload({ ...context, signal: options.signal }, ask, env);
    if (result.code === 0) return repository;
    context.log.warn(
      { kind, repository, stderr: result.stderr.slice(-2_000) },
      'a database was not downloaded',
    );
    failure ??= downloadError(kind, repository, result);
  }
  throw failure ?? invalid('DATABASE_SOURCE_INVALID', `no repository is named for ${NAMES[kind]}`);
}

const NAMES = { db: 'the vulnerability database', 'java-db': 'the index of Java archives' };

function reachedBy({
  credentials,
}: RepositoryRelay): Pick<DownloadOptions, 'credentials' | 'insecure'> {
  return { credentials: () => credentials, insecure: () => true };
}

function envOf(
  repository: string,
  { credentials, insecure, env }: DownloadOptions,
): Record<string, string> {
  const login = credentials?.(repository);
  return {
    ...env,
    ...(login && { TRIVY_USERNAME: login.username, TRIVY_PASSWORD: login.password }),
    ...(insecure?.(repository) && { TRIVY_INSECURE: 'true' }),
  };
}

/** First match wins. */
const SIGNS: [RegExp, string][] = [
  [/UNAUTHORIZED|DENIED|401 |403 /, 'the registry refused the credentials'],
  [/MANIFEST_UNKNOWN|NAME_UNKNOWN|404 /, 'the registry has no such repository or tag'],
  [/TOOMANYREQUESTS|429 /, 'the registry asks to come back later'],
  [/no space left on device/, 'the disk is full'],
  [
    /connection refused|no such host|i\/o timeout|network is unreachable/,
    "the registry can't be reached",
  ],
  [/x509|certificate|HTTP response to HTTPS client/, "the registry's certificate was not accepted"],
  [/deadline exceeded/, 'it took too long'],
];

function downloadError(
  kind: Wanted['kind'],
  repository: string,
  { stderr, timedOut }: RunResult,
): AppError {
  const sign = timedOut ? 'it took too long' : SIGNS.find(([pattern]) => pattern.test(stderr))?.[1];
  return unavailable(
    'DATABASE_DOWNLOAD_FAILED',
    `${NAMES[kind]} was not downloaded from ${repository}: ${sign ?? 'the download failed'}`,
    { cause: new Error(stderr.slice(-2_000)) },
  );
}
