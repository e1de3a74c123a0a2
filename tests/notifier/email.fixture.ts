/** What email.int and email.night start, and how they look at it. */
import type { EmailSettings } from '@portcullis/domain';
import { listGroups } from '@portcullis/events';
import type { ReceivedMail } from '@portcullis/testing';
import { afterEach, beforeEach } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export const settingsFor = (
  port: number,
  more: Partial<EmailSettings> = {},
): Partial<EmailSettings> => ({
  enabled: true,
  host: '127.0.0.1',
  port,
  security: 'none',
  from_address: 'gate@example.com',
  to_addresses: ['ops@example.com'],
  notify_login: true,
  notify_audit: true,
  ...more,
});

/** Events that the server has not received. */
export async function unread(): Promise<number | undefined> {
  const group = (await listGroups(harness.redis)).find(({ name }) => name === 'email');
  return group && group.pending + (group.lag ?? 0);
}

export function eventsOf({ email }: ReceivedMail): string[] {
  const content = email.attachments[0]?.content ?? '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
}

export function startMails(): void {
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness[Symbol.asyncDispose]());
}
