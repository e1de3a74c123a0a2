/**
 * Why a download of one of Trivy's databases failed. Trivy says so in its output alone: one table
 * over the codes of the distribution specification, the HTTP statuses and the texts of system
 * errors in it (0.74.0; recorded in the tests).
 */
import { type AppError, unavailable } from '@portcullis/errors';
import type { RunResult } from '../process/run.ts';
import { lastError } from '../scan/failure.ts';

type Failure =
  | 'refused'
  | 'unknown'
  | 'rate_limited'
  | 'no_space'
  | 'unreachable'
  | 'untrusted'
  | 'timeout'
  | 'invalid'
  | 'other';

/** The first match wins. */
const SIGNS: [RegExp, Failure][] = [
  [/UNAUTHORIZED|DENIED|\b40[13] /, 'refused'],
  [/MANIFEST_UNKNOWN|NAME_UNKNOWN|\b404 /, 'unknown'],
  [/TOOMANYREQUESTS|\b429 /, 'rate_limited'],
  [/no space left on device|disk quota exceeded/, 'no_space'],
  [/x509|certificate|HTTP response to HTTPS client/, 'untrusted'],
  [
    /connection (?:refused|reset)|no such host|i\/o timeout|(?:network is|host is|host) unreachable|no route to host|\b50[234] /,
    'unreachable',
  ],
  [/deadline exceeded/, 'timeout'],
  [
    /unexpected EOF|gzip: invalid|unacceptable media type|multiple layers|invalid header/,
    'invalid',
  ],
];

type Ended = Pick<RunResult, 'stderr' | 'timedOut'>;

function failureOf({ stderr, timedOut }: Ended): Failure {
  if (timedOut) return 'timeout';
  return SIGNS.find(([sign]) => sign.test(stderr))?.[1] ?? 'other';
}

const FAULTS: Record<Failure, [code: string, why: string]> = {
  refused: ['DATABASE_SOURCE_REFUSED', 'the registry refused the credentials'],
  unknown: ['DATABASE_SOURCE_UNKNOWN', 'the registry has no such repository or tag'],
  rate_limited: ['DATABASE_SOURCE_RATE_LIMITED', 'the registry is rate-limiting us'],
  no_space: ['DATABASE_NO_SPACE', 'the disk is full'],
  unreachable: ['DATABASE_SOURCE_UNREACHABLE', "the registry can't be reached"],
  untrusted: ['DATABASE_SOURCE_UNTRUSTED', "the registry's certificate was not accepted"],
  timeout: ['DATABASE_TIMEOUT', 'it took too long'],
  invalid: ['DATABASE_REJECTED', 'what arrived is damaged or no database'],
  other: ['DATABASE_DOWNLOAD_FAILED', 'the download failed'],
};

/** @param what The database, for people. */
export function downloadError(what: string, repository: string, result: Ended): AppError {
  const cause = new Error(lastError(result.stderr) ?? 'no error was printed');
  const [code, why] = FAULTS[failureOf(result)];
  return unavailable(code, `${what} was not downloaded from ${repository}: ${why}`, { cause });
}
