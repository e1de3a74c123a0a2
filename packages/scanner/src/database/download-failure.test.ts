import { describe, expect, it } from 'vitest';
import { downloadError } from './download-failure.ts';

const FATAL =
  'FATAL\tFatal error\trun error: init error: DB error: failed to download vulnerability DB: ';
const GET = `${FATAL}OCI artifact error: failed to download: GET https://mirror.example/v2/system/trivy-db/manifests/2: `;
const ended = (stderr: string, timedOut = false) =>
  downloadError('the database', 'mirror.example/system/trivy-db:2', { stderr, timedOut });

describe('a failed download of a database', () => {
  it.each([
    [`${GET}UNAUTHORIZED: authentication required`, 'DATABASE_SOURCE_REFUSED'],
    [`${GET}DENIED: requested access is denied`, 'DATABASE_SOURCE_REFUSED'],
    [`${GET}unexpected status code 403 Forbidden`, 'DATABASE_SOURCE_REFUSED'],
    [`${GET}MANIFEST_UNKNOWN: manifest unknown`, 'DATABASE_SOURCE_UNKNOWN'],
    [`${GET}unexpected status code 404 Not Found`, 'DATABASE_SOURCE_UNKNOWN'],
    [`${GET}TOOMANYREQUESTS: retry later`, 'DATABASE_SOURCE_RATE_LIMITED'],
    [`${GET}unexpected status code 503 Service Unavailable`, 'DATABASE_SOURCE_UNREACHABLE'],
    [`${FATAL}dial tcp 127.0.0.1:1: connect: connection refused`, 'DATABASE_SOURCE_UNREACHABLE'],
    [`${FATAL}dial tcp: lookup mirror.example: no such host`, 'DATABASE_SOURCE_UNREACHABLE'],
    [
      `${FATAL}tls: failed to verify certificate: x509: unknown authority`,
      'DATABASE_SOURCE_UNTRUSTED',
    ],
    [`${FATAL}write db/trivy.db: no space left on device`, 'DATABASE_NO_SPACE'],
    [`${FATAL}context deadline exceeded`, 'DATABASE_TIMEOUT'],
    [`${FATAL}gzip: invalid header`, 'DATABASE_REJECTED'],
    [`${FATAL}something else`, 'DATABASE_DOWNLOAD_FAILED'],
  ])('%s has the code %s', (stderr, code) => {
    expect(ended(stderr)).toMatchObject({ code, kind: 'unavailable' });
  });

  it('has the code of its end where we ended it', () => {
    expect(ended(`${GET}MANIFEST_UNKNOWN`, true).code).toBe('DATABASE_TIMEOUT');
  });

  it('names the repository, and keeps what the scanner printed for the log', () => {
    const error = ended(`${GET}MANIFEST_UNKNOWN: manifest unknown`);
    expect(error.message).toContain('mirror.example/system/trivy-db:2');
    expect(error.cause).toMatchObject({ message: expect.stringContaining('MANIFEST_UNKNOWN') });
  });
});
