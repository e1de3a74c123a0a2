import { describe, expect, it } from 'vitest';
import { classify, scanError } from './failure.ts';

const LAYER =
  'FATAL\tFatal error\trun error: image scan error: scan error: scan failed: failed analysis: analyze error: pipeline error: failed to analyze layer (sha256:7e7f): ';
const result = (stderr: string) => ({ code: 1, signal: null, timedOut: false, stderr });

/** As version 0.74.0 wrote them. */
describe('what the scanner says last', () => {
  it.each([
    [`${LAYER}walk error: failed to extract the archive: flate: corrupt input before offset 1`, 'layer'],
    [`${LAYER}walk error: failed to extract the archive: unexpected EOF`, 'layer'],
    [`${LAYER}walk error: failed to extract the archive: archive/tar: invalid tar header`, 'layer'],
    [
      `${LAYER}failed to get the layer content (sha256:7e): lstat image/blobs/sha256/12af: no such file or directory`,
      'layout',
    ],
    [`${LAYER}failed to get the layer content (sha256:7e): layout blob sha256:12 is a symlink`, 'layout'],
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

  it('counts, and no warning before it', () => {
    const stderr = `WARN\tlayer cache missing\nWARN\tno space left on device\n${LAYER}context deadline exceeded`;
    expect(classify(result(stderr))).toBe('timeout');
  });

  it('does not count when it was killed', () => {
    expect(classify({ ...result(''), signal: 'SIGKILL', code: null })).toBe('out_of_memory');
    expect(classify({ ...result(''), signal: 'SIGKILL', timedOut: true })).toBe('timeout');
  });

  it('is told to the log and not to people', () => {
    const error = scanError('layer', { stderr: `${LAYER}secret path` }, 60);
    expect(error.message).not.toContain('secret path');
    expect(String(error.cause)).toContain('secret path');
  });
});
