/** What webhooks.int and webhooks.night start, and how they look at it. */
import { afterEach, beforeEach } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import type { Receiver } from './receiver.ts';

export let harness: Harness;

export const ids = ({ received }: Receiver) => received.map(({ id }) => id);

export function startReceivers(): void {
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness[Symbol.asyncDispose]());
}
