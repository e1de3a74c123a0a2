import { describe, expect, it } from 'vitest';
import { classify, lastError, reasonOf, scanError } from './failure.ts';

const LAYER =
  'FATAL\tFatal error\trun error: image scan error: scan error: scan failed: failed analysis: analyze error: pipeline error: failed to analyze layer (sha256:7e7f): ';
const result = (stderr: string) => ({ code: 1, signal: null, timedOut: false, stderr });

describe('the last words of the scanner', () => {
  it.each([
    [
      `${LAYER}walk error: failed to extract the archive: flate: corrupt input before offset 1`,
      'layer',
    ],
    [`${LAYER}walk error: failed to extract the archive: unexpected EOF`, 'layer'],
    [`${LAYER}walk error: failed to extract the archive: archive/tar: invalid tar header`, 'layer'],
    [
      `${LAYER}failed to get the layer content (sha256:7e): lstat image/blobs/sha256/12af: no such file or directory`,
      'layout',
    ],
    [
      `${LAYER}failed to get the layer content (sha256:7e): layout blob sha256:12 is a symlink`,
      'layout',
    ],
    [
      `${LAYER}post analysis error: post analysis error: Unable to initialize the Java DB: Java DB update failed: '--skip-java-db-update' cannot be specified on the first run`,
      'java_database',
    ],
    [`${LAYER}context deadline exceeded`, 'timeout'],
    [`${LAYER}write /tmp/x: no space left on device`, 'no_space'],
    [
      'FATAL\tFatal error\tinit error: DB error: database error: --skip-db-update cannot be specified on the first run',
      'database',
    ],
    [
      'FATAL\tFatal error\tinit error: DB error: error in vulnerability DB initialize: failed to open db: invalid database',
      'database',
    ],
    [
      "FATAL\tFatal error\tinit error: DB error: database error: the version of DB schema doesn't match. Local DB: 3, Expected: 2",
      'database',
    ],
    [
      'FATAL\tFatal error\tfailed to store layer: sha256:04 in cache: unable to store blob information in Redis cache (sha256:04): dial tcp 127.0.0.1:1: connect: connection refused',
      'cache',
    ],
    [
      'FATAL\tFatal error\tunable to initialize a scan service: unable to initialize cache: unknown cache type: unknown',
      'cache',
    ],
    ['FATAL\tFatal error\tfailed to apply layers: layer cache missing: sha256:04', 'cache'],
    [
      'FATAL\tFatal error\tunable to initialize archive image: 2 errors occurred:\n\t* unable to open image@sha256:00 as a Docker image: no such file or directory\n\t* invalid OCI image ref',
      'layout',
    ],
    ['FATAL\tFatal error\tsomething new', 'other'],
    ['', 'other'],
  ])('%s', (stderr, failure) => {
    expect(classify(result(stderr))).toBe(failure);
  });

  it('is used, and no warning before it', () => {
    const stderr = `WARN\tlayer cache missing\nWARN\tno space left on device\n${LAYER}context deadline exceeded`;
    expect(classify(result(stderr))).toBe('timeout');
  });

  it('is not used when it was killed', () => {
    expect(classify({ ...result(''), signal: 'SIGKILL', code: null })).toBe('out_of_memory');
    expect(classify({ ...result(''), signal: 'SIGKILL', timedOut: true })).toBe('timeout');
  });

  it('is written to the log and not shown to people', () => {
    const error = scanError('layer', { stderr: `${LAYER}secret path` }, 60);
    expect(error.message).not.toContain('secret path');
    expect(String(error.cause)).toContain('secret path');
  });
});

describe('S10: the last words of the scanner', () => {
  const fatal = (words: string) =>
    `2026-11-22T10:17:45Z\tINFO\tDetected OS\n2026-11-22T10:17:45Z\tFATAL\tFatal error\t${words}\n`;

  it.each<[string, string, string | null]>([
    [
      'is in the error that the job keeps',
      fatal('run error: image scan error: cpe convert error: unable to find CPE indices'),
      'run error: image scan error: cpe convert error: unable to find CPE indices',
    ],
    ['is left out where it said nothing', '', null],
    ['is its first line alone', `${fatal('one')}two\n`, 'one'],
    [
      'names no directory of ours',
      fatal('open /data/trivy/runs/3f/image/blobs/sha512/ab: "/data/x" no such file'),
      'open ab: "x" no such file',
    ],
    [
      'shows no credentials',
      fatal('dial redis://default:hunter2@redis:6379/0: refused, https://u:p@h/x too'),
      'dial [address] refused, [address] too',
    ],
    ['brings no control characters', fatal('a\u001b[31mred\u001b[0m\u0007b'), 'a red b'],
  ])('%s', (_, stderr, reason) => {
    expect(reasonOf(stderr)).toBe(reason);
  });

  it('is limited, and keeps its end', () => {
    const reason = reasonOf(fatal(`${'wrapped: '.repeat(500)}the cause`)) ?? '';
    expect(reason.length).toBeLessThan(410);
    expect(reason).toMatch(/^… wrapped: .*: the cause$/);
  });

  it('is made of its end, whatever names of the image it quotes before', () => {
    expect(reasonOf(fatal('a-'.repeat(128 * 1024)))).toMatch(/^… (?:a-)+$/);
  });

  it.each([
    ['what the job keeps', reasonOf],
    ['what the log shows', lastError],
  ])('is cut between characters: %s', (_, read) => {
    const text = read(fatal(`${'🔒'.repeat(1_000)}x`)) ?? '';
    expect(text).toMatch(/🔒x$/);
    expect(text.isWellFormed()).toBe(true);
  });

  it('is the message of the error', () => {
    const { message } = scanError('other', { stderr: fatal('unable to find CPE indices') }, 60);
    expect(message).toBe('the scanner failed: unable to find CPE indices');
  });
});

const INFO = '2026-11-23T00:56:06Z\tINFO\t[vulndb] Need to update DB\n';

it.each([
  [
    'of several lines is its last one',
    `${INFO}2026-11-23T00:56:06Z\tFATAL\tFatal error\trun error: init error: DB error: OCI repository error: 1 error occurred:\n\t* Get "https://mirror.gcr.io/v2/": dial tcp: lookup mirror.gcr.io: no such host\n\n\n`,
    'Get "https://mirror.gcr.io/v2/": dial tcp: lookup mirror.gcr.io: no such host',
  ],
  [
    'of one line is without its time and level',
    `${INFO}2026-11-23T00:56:06Z\tFATAL\tFatal error\tflag error: invalid DB repository`,
    'flag error: invalid DB repository',
  ],
  ['of a program that was killed is the last line of its log', `${INFO}one\ntwo\n`, 'two'],
  ['is missing where nothing was printed', '\n', null],
])('the last error %s', (_, stderr, last) => {
  expect(lastError(stderr)).toBe(last);
});
