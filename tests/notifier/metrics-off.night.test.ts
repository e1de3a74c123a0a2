/** A notifier without METRICS_PORT opens no port. */
import { listeningOf } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { openHarness } from './harness.ts';

it('opens no port without METRICS_PORT', async () => {
  await using harness = await openHarness();
  const { pid = 0 } = await harness.start();
  expect(await listeningOf(pid)).toEqual([]);
});
