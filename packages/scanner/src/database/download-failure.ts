/**
 * Why a download of one of Trivy's databases failed. Trivy says so in its output alone: one table
 * over the codes of the distribution specification, the HTTP statuses and the texts of system
 * errors in it (0.74.0; recorded in the tests).
 */
import { type AppError, unavailable } from '@portcullis/errors';
import { lastError } from '../scan/failure.ts';
import type { RunResult } from '../scan/process.ts';

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

/** @param what The database, for people. */
export function downloadError(what: string, repository: string, result: Ended): AppError {
  const cause = new Error(lastError(result.stderr) ?? 'no error was printed');
  const failed = (why: string) => `${what} was not downloaded from ${repository}: ${why}`;
  switch (failureOf(result)) {
    case 'refused':
      return unavailable(
        'DATABASE_SOURCE_REFUSED',
        failed('the registry refused the credentials'),
        { cause },
      );
    case 'unknown':
      return unavailable(
        'DATABASE_SOURCE_UNKNOWN',
        failed('the registry has no such repository or tag'),
        { cause },
      );
    case 'rate_limited':
      return unavailable(
        'DATABASE_SOURCE_RATE_LIMITED',
        failed('the registry is rate-limiting us'),
        { cause },
      );
    case 'no_space':
      return unavailable('DATABASE_NO_SPACE', failed('the disk is full'), { cause });
    case 'unreachable':
      return unavailable('DATABASE_SOURCE_UNREACHABLE', failed("the registry can't be reached"), {
        cause,
      });
    case 'untrusted':
      return unavailable(
        'DATABASE_SOURCE_UNTRUSTED',
        failed("the registry's certificate was not accepted"),
        { cause },
      );
    case 'timeout':
      return unavailable('DATABASE_TIMEOUT', failed('it took too long'), { cause });
    case 'invalid':
      return unavailable('DATABASE_REJECTED', failed('what arrived is damaged or no database'), {
        cause,
      });
    case 'other':
      return unavailable('DATABASE_DOWNLOAD_FAILED', failed('the download failed'), { cause });
  }
}
