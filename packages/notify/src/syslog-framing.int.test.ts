/** Runs against a real rsyslog that takes each line for a message. */
import { startSyslog, type TestSyslog } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntry, sendSyslog } from './index.ts';
import { EVENT, hostname, resolve, settingsFor, timeouts } from './syslog.fixture.ts';

describe.each(['tcp', 'tcp+tls'] as const)('a collector that reads lines over %s', (protocol) => {
  let collector: TestSyslog;
  beforeAll(async () => {
    collector = await startSyslog({ protocol, readsLines: true });
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  it('gets each message whole, in order, whatever its content', async () => {
    const settings = settingsFor(collector, {
      syslog_protocol: protocol,
      syslog_framing: 'newline',
      syslog_auth_enabled: true,
      syslog_auth_username: 'line\nbreak',
    });
    const events = Array.from({ length: 50 }, (_, i) => ({
      ...EVENT,
      id: `line-${i}`,
      detail: { filling: '\n12 <13>1 x'.repeat(i) },
    }));
    const entries = events.map((event) => auditEntry(event, '1'));
    const { transcript } = await sendSyslog(entries, settings, { hostname, resolve, timeouts });
    await expect.poll(collector.received).toHaveLength(events.length);
    const received = await collector.received();
    expect(received.map(({ msg }) => JSON.parse(msg))).toEqual(events);
    expect(new Set(received.map(({ app, hostname: from }) => `${app} ${from}`))).toEqual(
      new Set([`portcullis ${hostname}`]),
    );
    expect(transcript.join()).toContain('each ended by a newline');
  });

  it('takes the counts of the default framing for text', async () => {
    const before = (await collector.received()).length;
    const settings = settingsFor(collector, { syslog_protocol: protocol });
    const event = { ...EVENT, id: 'counted' };
    await sendSyslog([auditEntry(event, '1')], settings, { hostname, resolve, timeouts });
    const counted = async () => (await collector.received()).slice(before);
    await expect.poll(counted).not.toEqual([]);
    expect((await counted()).filter(({ app }) => app === 'portcullis')).toEqual([]);
  });
});
