/** What syslog.int and syslog.night start, and how they look at it. */
import type { SyslogSettings } from '@portcullis/domain';
import { listGroups } from '@portcullis/events';
import { type SyslogFields, startSyslog, type TestSyslog } from '@portcullis/testing';
import { afterEach, beforeEach } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export let collector: TestSyslog;

export const settingsFor = (port: number, more: Partial<SyslogSettings> = {}) => ({
  syslog_enabled: true,
  syslog_host: '127.0.0.1',
  syslog_port: port,
  syslog_protocol: 'tcp' as const,
  ...more,
});

export const eventOf = ({ sd }: SyslogFields) => sd['portcullis@32473']?.event ?? '';

export const named = (prefix: string) => async () =>
  (await collector.received()).map(eventOf).filter((name) => name.startsWith(prefix));

export const numbered = (prefix: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i + from}`);

/** Unread events of each group that reads the audit stream. */
export const unreadByGroup = async () => {
  const groups = await listGroups(harness.redis);
  return Object.fromEntries(groups.map(({ name, pending, lag }) => [name, pending + (lag ?? 0)]));
};

export const unread = async () => (await unreadByGroup()).syslog;

export function startForwarding(): void {
  beforeEach(async () => {
    [harness, collector] = await Promise.all([openHarness(), startSyslog({ protocol: 'tcp' })]);
  });
  afterEach(async () => {
    await harness[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
  });
}
