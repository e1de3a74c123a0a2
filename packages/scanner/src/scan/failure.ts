/**
 * Maps the output of a failed Trivy process to our errors: one table over Trivy's messages (0.74.0;
 * recorded in the tests).
 */
import { type AppError, invalid, unavailable } from '@portcullis/errors';
import { noSpace } from '../layers/layer-fault.ts';
import type { RunResult } from '../process/run.ts';

export type ScanFailure =
  | 'timeout'
  | 'cache'
  | 'no_space'
  | 'java_database'
  | 'database'
  | 'layout'
  | 'layer'
  | 'out_of_memory'
  | 'other';

/** The first match wins. */
const SIGNS: [RegExp, ScanFailure][] = [
  [/no space left on device/i, 'no_space'],
  [/Java DB/, 'java_database'],
  [/cache may be in use|layer cache missing|initialize cache|fs cache|Redis cache/i, 'cache'],
  [/context deadline exceeded/, 'timeout'],
  [/cannot be specified on the first run|DB schema|\bDB error\b|invalid database/, 'database'],
  [/unexpected media type|invalid OCI image ref|is a symlink|no valid manifest/, 'layout'],
  [/blobs\/\w+\/[0-9a-f]+: no such file or directory/, 'layout'],
  [/failed to extract the archive|failed to get the layer content/, 'layer'],
];

export function classify(
  result: Pick<RunResult, 'stderr' | 'signal' | 'timedOut' | 'code'>,
): ScanFailure {
  if (result.timedOut) return 'timeout';
  if (result.signal === 'SIGKILL' || result.code === 137) return 'out_of_memory';
  const fatal = fatalText(result.stderr);
  return SIGNS.find(([sign]) => sign.test(fatal))?.[1] ?? 'other';
}

/** The fatal line and what follows it: warnings before it may mention files and caches too. */
function fatalText(stderr: string): string {
  const at = stderr.search(/\bFATAL\b|^Error: /m);
  return at < 0 ? stderr : stderr.slice(at);
}

/**
 * The last line of Trivy's error, which names the first cause: errors are wrapped from the inside
 * out. For logs: it may contain addresses.
 */
export function lastError(stderr: string): string | null {
  const lines = fatalText(stderr)
    .split('\n')
    .map((line) => line.replace(/\p{C}+/gu, ' ').trim());
  const last = lines.findLast((line) => line !== '') ?? '';
  const text = last.replace(/^.*?\bFATAL\b\s*(?:Fatal error\s*)?/, '').replace(/^\*\s+/, '');
  return text === '' ? null : text.slice(-LONGEST_REASON).toWellFormed();
}

/** Of a longer message the end is kept: errors are wrapped from the inside out. */
const LONGEST_REASON = 400;
/** It may quote names from the image, and the time of the expressions grows with its square. */
const MOST_READ = 10 * LONGEST_REASON;

/**
 * Trivy's last words, sanitized for people: without our directories, addresses with credentials,
 * and control characters.
 */
export function reasonOf(stderr: string): string | null {
  const [line = ''] = fatalText(stderr).split('\n');
  const text = endOf(
    line.replace(/^.*?\bFATAL\b\s*(?:Fatal error\s*)?/, '').replace(/^Error: /, ''),
  )
    .replace(/\p{C}+(?:\[[\d;]*m)?/gu, ' ')
    .replace(/\b[a-z][\w+.-]*:\/\/[^\s/@]*@\S+/gi, '[address]')
    .replace(/(^|[\s"'=(:])\/(?:[^\s"':]*\/)?/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return null;
  return text.length <= LONGEST_REASON
    ? text
    : `… ${text
        .slice(-LONGEST_REASON)
        .replace(/^\S*\s/, '')
        .toWellFormed()}`;
}

/** Begins with a whole word: a part of an address would not be seen as one. */
function endOf(text: string): string {
  return text.length <= MOST_READ ? text : text.slice(-MOST_READ).replace(/^\S*\s/, '');
}

/**
 * The error stored with the job. Trivy's full output is its cause, which is logged and never shown.
 */
export function scanError(
  failure: ScanFailure,
  result: Pick<RunResult, 'stderr'>,
  seconds: number,
): AppError {
  const cause = new Error(fatalText(result.stderr).slice(0, 2_000));
  switch (failure) {
    case 'timeout':
      return unavailable('SCAN_TIMEOUT', `the scan took longer than ${seconds} s`, { cause });
    case 'cache':
      return unavailable('SCAN_CACHE_FAILED', "the scan's layer cache failed", { cause });
    case 'no_space':
      return noSpace(cause);
    case 'java_database':
    case 'database':
      return unavailable(
        'SCAN_DATABASE_INVALID',
        'the vulnerability database is missing or damaged',
        {
          cause,
        },
      );
    case 'layout':
      return invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete', { cause });
    case 'layer':
      return invalid('SCAN_LAYER_INVALID', 'a layer of the image could not be unpacked', { cause });
    case 'out_of_memory':
      return unavailable(
        'SCAN_OUT_OF_MEMORY',
        'the scanner was killed, most likely for want of memory',
        {
          cause,
        },
      );
    case 'other':
      return unavailable('SCAN_FAILED', failedFor(reasonOf(result.stderr)), { cause });
  }
}

function failedFor(reason: string | null): string {
  return reason === null ? 'the scanner failed' : `the scanner failed: ${reason}`;
}
