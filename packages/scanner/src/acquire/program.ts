/**
 * Trivy as a program that `npm start` acquires: which versions are accepted, where its release is,
 * and how it is built (168 MB).
 */
import { join } from 'node:path';
import { type AppError, unavailable } from '@portcullis/errors';
import { run } from '../process/run.ts';
import {
  goBuildsPinned,
  PINNED_VERSION,
  parseTrivyVersion,
  type VersionFault,
  versionFault,
} from './version.ts';

const releaseFor = (machine: string, sha256: string) => ({
  url: `aquasecurity/trivy/releases/download/v${PINNED_VERSION}/trivy_${PINNED_VERSION}_Linux-${machine}.tar.gz`,
  sha256,
  member: 'trivy',
});

/** Our Go module with Trivy's main function. */
const MODULE = join(import.meta.dirname, '..', '..', 'trivy');
/** The beginning of the SHA-256 of its main.go. */
const MAIN = 'a29e4c4a';

export const TRIVY_PROGRAM = {
  name: 'trivy',
  title: `the scanner (Trivy ${PINNED_VERSION})`,
  pin: `${PINNED_VERSION}-${MAIN}`,
  names: ['trivy'],
  releases: {
    x64: releaseFor('64bit', '2ae6fe3ee734b7fdf11335663e18c75ea12dccc76062f09f164a3b0f8be4371a'),
    arm64: releaseFor('ARM64', 'b94ce1976bbf3c15b514b605ee88be7c6d94a29be2302847ff01cb794d47aad5'),
  },
  module: {
    dir: MODULE,
    command: '.',
    stamp: `github.com/aquasecurity/trivy/pkg/version/app.ver=${PINNED_VERSION}`,
    // Versions 0.67 to 0.74 import encoding/json/v2.
    env: { GOEXPERIMENT: 'jsonv2' },
    accepts: goBuildsPinned,
  },
  buildTime: 'five to ten minutes',
  check: checkTrivy,
  missing,
};

/** @returns its version. @throws unavailable `SCANNER_UNAVAILABLE` where it is refused */
export async function checkTrivy(path: string, signal?: AbortSignal): Promise<string> {
  const version = await versionOf(path, signal);
  const fault = versionFault(version);
  if (version === null || fault) throw refused(path, version, fault ?? 'unknown');
  return version;
}

/** Runs in an empty directory: Trivy also reports on any database that it finds in its HOME. */
async function versionOf(path: string, signal?: AbortSignal): Promise<string | null> {
  const env = { HOME: '/nonexistent', TRIVY_CACHE_DIR: '/nonexistent' };
  try {
    const { stdout } = await run(path, ['--version'], { cwd: '/', env, signal, timeoutMs: 30_000 });
    return parseTrivyVersion(stdout);
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

const FAULTS = {
  unknown: 'does not run as Trivy, or reports no version',
  malicious: 'is a version that an intruder published: remove it',
  too_old: 'is too old: 0.68 or newer is needed',
} as const satisfies Record<VersionFault, string>;

function refused(path: string, version: string | null, fault: VersionFault): AppError {
  const name = version === null ? path : `${path} (${version})`;
  return unavailable('SCANNER_UNAVAILABLE', `the scanner ${name} ${FAULTS[fault]}`);
}

function missing(reasons: readonly string[]): AppError {
  const advice = `install Trivy ${PINNED_VERSION} and name it in TRIVY_PATH, or install Go 1.26.3 or a later 1.26 so that it can be built`;
  return unavailable('SCANNER_UNAVAILABLE', ['there is no scanner', ...reasons, advice].join('; '));
}
