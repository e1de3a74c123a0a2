/** What notifications.int and notifications.night start, and how they look at it. */
import { randomUUID } from 'node:crypto';
import { type AuditEvent, listGroups, publish } from '@portcullis/events';
import type { User } from '@portcullis/store';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterEach, beforeEach } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export let ann: User;

export let boss: User;

const account = (username: string, rights: object = {}) =>
  harness.store.users.insert({
    ...{ username, passwordHash: null, email: `${username}@example.com` },
    ...rights,
  });

export const send = (event: Partial<AuditEvent>) =>
  publish(
    harness.redis,
    sampleEvent({ id: randomUUID(), at: new Date().toISOString(), outcome: 'success', ...event }),
  );

export const actorOf = ({ id, username: name }: User) => ({ id, name, auth: 'session' as const });

export function jobEvent(event: string, name: string, detail: object = {}): Partial<AuditEvent> {
  const resource = { kind: 'staging_job', id: randomUUID(), name };
  return { event, actor: actorOf(ann), resource, detail: { ...detail } };
}

export async function notified({ id: userId }: User): Promise<string[]> {
  const reader = { userId, isAdmin: true, folders: 'all', reviews: true } as const;
  const { items } = await harness.store.notifications.list(reader, {});
  return items.map(({ kind, subject }) => `${kind} ${subject}`.trim()).toSorted();
}

/** Events that no notification was made of yet. */
export async function unread(): Promise<number | undefined> {
  const group = (await listGroups(harness.redis)).find(({ name }) => name === 'notifications');
  return group && group.pending + (group.lag ?? 0);
}

export const request = (folder: string | null, requestedById: string) =>
  harness.store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, repository: null },
    ...{ digest: null, folder, status: 'accepted', justification: null, reason: 'none' },
    ...{ ticket: null, vexDocument: null, requestedById },
    expiresAt: new Date(Date.now() + 86_400_000),
  });

export function startNotified(): void {
  beforeEach(async () => {
    harness = await openHarness();
    ann = await account('ann');
    boss = await account('boss', { isAdmin: true });
  });
  afterEach(() => harness[Symbol.asyncDispose]());
}
