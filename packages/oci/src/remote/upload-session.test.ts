import { expect, it } from 'vitest';
import { unavailable } from '../oci-error.ts';
import { DEFAULT_RETRY } from './http/retry.ts';
import { waitAfter } from './upload-session.ts';

it.each([
  ['whose connection broke', 'REGISTRY_UNREACHABLE', 4],
  ['without a response for ten minutes', 'REGISTRY_SILENT', 1],
  ['that a registry accepts byte by byte', 'REGISTRY_TOO_SLOW', 1],
  ['that is redirected in a circle', 'REDIRECT_REFUSED', 0],
])('F2: an upload %s (%s) is repeated %i times at most', (_, code, times) => {
  const waits = [0, 1, 2, 3, 4, 5].map((attempt) =>
    waitAfter(unavailable(code, 'x'), attempt, DEFAULT_RETRY),
  );
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(times);
});
