/**
 * Downloads Trivy's databases from a registry, with Trivy itself as the client: it streams to disk.
 */
import { type AppError, invalid } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import { runDownload, type Trivy } from '../scan/cli.ts';
import type { ScanDir } from '../scan/scan-dir.ts';
import { authoritiesFor } from './authorities.ts';
import { downloadError } from './download-failure.ts';

export interface DownloadOptions {
  /** Credentials for a repository, if it needs any; sent to that repository's host only. */
  credentials?:
    | ((repository: string) => { username: string; password: string } | undefined)
    | undefined;
  /** Whether a repository is reached by plain HTTP or with an untrusted certificate. */
  insecure?: ((repository: string) => boolean) | undefined;
  /**
   * Makes a local relay to a repository for one download where Trivy cannot reach its registry;
   * null where it can.
   */
  relay?: ((repository: string) => Promise<RepositoryRelay | null>) | undefined;
  timeoutSeconds?: number | undefined;
  /** Added to Trivy's environment: proxies. */
  env?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export interface RepositoryRelay extends AsyncDisposable {
  /** The repository behind the relay, served by plain HTTP. */
  repository: string;
  credentials: { username: string; password: string };
}

export interface DownloadContext extends Trivy {
  dir: ScanDir;
  log: Logger;
}

export interface Wanted {
  kind: 'db' | 'java-db';
  /** The database is written into the subdirectory `kind`. */
  cacheDir: string;
  /** `host/repository[:tag]`, tried in order. */
  repositories: readonly string[];
}

/**
 * Returns the repository that had the database. Repositories are tried one by one, because Trivy
 * sends its credentials to every host in its list. The caller reports the failure of the first one;
 * the others are in the log.
 */
export async function download(
  { kind, cacheDir, repositories }: Wanted,
  options: DownloadOptions,
  context: DownloadContext,
): Promise<string> {
  const trusted = await authoritiesFor(context.dir);
  let failure: AppError | undefined;
  for (const repository of repositories) {
    const timeoutMs = (options.timeoutSeconds ?? 1_800) * 1000;
    await using relay = (await options.relay?.(repository)) ?? null;
    const ask = { kind, cacheDir, repositories: [relay?.repository ?? repository], timeoutMs };
    const env = envOf(repository, relay ? { ...options, ...reachedBy(relay) } : options);
    const result = await runDownload({ ...context, signal: options.signal }, ask, {
      ...trusted,
      ...env,
    });
    if (result.code === 0) return repository;
    const found = downloadError(NAMES[kind], repository, result);
    context.log.info({ err: found, stderr: result.stderr.slice(-2_000) }, 'a repository failed');
    failure ??= found;
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
