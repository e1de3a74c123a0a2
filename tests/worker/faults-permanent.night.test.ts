/** A source that fails for good. */
import { expect, it } from 'vitest';
import { isBlob, pullThrough, startFaulty } from './faults.fixture.ts';

startFaulty();

it('permanent 500: failed after the last attempt, on the source side, and can be retried by hand', async () => {
  const { job } = await pullThrough(() => ({
    answer: (seen) => (isBlob(seen) ? { status: 503 } : null),
  }));
  expect(job).toMatchObject({
    status: 'failed',
    attempts: 3,
    error: { side: 'source', retryable: true },
  });
});
