/** Runs against a real rsyslog, which reports how it parsed a message. */

import { writeFile } from 'node:fs/promises';
import { type AddressInfo, type connect, createServer } from 'node:net';
import path from 'node:path';
import type { SyslogSettings } from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import { makeCertificate, startSyslog, type TestSyslog, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntry, logEntry, type Resolve, sendSyslog } from './index.ts';
import { EVENT, hostname, resolve, settingsFor, timeouts } from './syslog.fixture.ts';

describe.each(['udp', 'tcp', 'tcp+tls'] as const)('over %s', (protocol) => {
  let collector: TestSyslog;
  beforeAll(async () => {
    collector = await startSyslog({ protocol });
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  async function arrived(id: string) {
    const found = async () => (await collector.received()).find(({ msg }) => msg.includes(id));
    await expect.poll(found).toBeDefined();
    return found();
  }

  it.each(['rfc3164', 'rfc5424'] as const)(
    'as %s, every field arrives as it was meant',
    async (rfc) => {
      const event = { ...EVENT, id: `of-${rfc}` };
      const settings = settingsFor(collector, { syslog_protocol: protocol, syslog_rfc: rfc });
      const delivery = await sendSyslog([auditEntry(event, '4711')], settings, {
        hostname,
        resolve,
        timeouts,
      });
      expect(delivery).toMatchObject({ delivered: protocol === 'udp' ? null : true });
      const fields = await arrived(event.id);
      expect(fields).toMatchObject({
        facility: '13',
        severity: '4',
        hostname,
        app: 'portcullis',
        procid: '4711',
      });
      expect(JSON.parse(fields?.msg ?? '')).toEqual(event);
      // RFC 3164 has no year, time zone or fraction.
      if (rfc === 'rfc3164') return void expect(fields?.msgid).toBe('-');
      expect(fields).toMatchObject({ msgid: 'staging.push', time: '2026-11-21T12:34:56.005Z' });
      expect(fields?.sd['portcullis@32473']).toEqual({
        id: event.id,
        event: 'staging.push',
        outcome: 'denied',
        actor: 'a"d]a\\ <13>1 forged ü',
        auth: 'session',
        action: 'POST /staging/push',
        resource_kind: 'job',
        resource: 'team/app',
        folder: 'team',
        client_ip: '127.0.0.1',
        status: '403',
        request_id: 'r-1',
      });
    },
  );

  it('a batch arrives in order, as separate messages, whatever their content', async () => {
    const settings = settingsFor(collector, { syslog_protocol: protocol });
    // UDP drops messages that exceed the receiver's buffer.
    const [count, filling] = protocol === 'udp' ? [20, 1] : [100, 20];
    const entries = Array.from({ length: count }, (_, i) =>
      auditEntry(
        { ...EVENT, id: `batch-${i}`, detail: { filling: '\n 12 x'.repeat(i * filling) } },
        '1',
      ),
    );
    await sendSyslog(entries, settings, { hostname, resolve, timeouts });
    await arrived(`batch-${count - 1}`);
    const ids = (await collector.received())
      .map(({ sd }) => sd['portcullis@32473']?.id)
      .filter((id) => id?.startsWith('batch-'));
    expect(ids).toEqual(entries.map((_, i) => `batch-${i}`));
  });

  it.each(['rfc3164', 'rfc5424'] as const)(
    'credentials are sent as the format %s allows',
    async (rfc) => {
      const settings = settingsFor(collector, {
        syslog_protocol: protocol,
        syslog_rfc: rfc,
        syslog_auth_enabled: true,
        syslog_auth_username: 'u"1',
        syslog_auth_password: 'p]2',
      });
      const event = { ...EVENT, id: `auth-${rfc}` };
      const { transcript } = await sendSyslog([auditEntry(event, '1')], settings, {
        hostname,
        resolve,
        timeouts,
      });
      const fields = await arrived(event.id);
      if (rfc === 'rfc5424')
        expect(fields?.sd['auth@32473']).toEqual({ username: 'u"1', password: 'p]2' });
      else expect(fields?.msg).toContain('[auth@32473 username="u\\"1" password="p\\]2"] {');
      expect(transcript.join()).not.toContain('p]2');
    },
  );

  it('application logs have the facility daemon, with their own time and process', async () => {
    const line = {
      level: 'error',
      time: '2026-11-21T12:00:00.120Z',
      pid: 77,
      hostname: 'w1',
      name: 'worker',
      msg: `log over ${protocol}`,
    };
    await sendSyslog([logEntry(line)], settingsFor(collector, { syslog_protocol: protocol }), {
      hostname,
      resolve,
      timeouts,
    });
    expect(await arrived(line.msg)).toMatchObject({
      facility: '3',
      severity: '3',
      msgid: 'log',
      procid: '77',
      time: '2026-11-21T12:00:00.120Z',
      sd: { 'portcullis@32473': { process: 'worker', level: 'error', host: 'w1' } },
    });
  });
});

describe('a collector that is not trusted or unreachable', () => {
  const entries = [auditEntry(EVENT, '1')];

  it('with a certificate of an unknown authority receives nothing, unless verification is disabled', async () => {
    await using collector = await startSyslog({ protocol: 'tcp+tls' });
    const unknown = settingsFor({ port: collector.port }, { syslog_protocol: 'tcp+tls' });
    const send = (settings: SyslogSettings) =>
      sendSyslog(entries, settings, { hostname, resolve, timeouts });
    expect(await send(unknown)).toMatchObject({
      delivered: false,
      error: 'its certificate is not signed by an authority we trust',
    });
    expect(await send({ ...unknown, syslog_tls_ca_cert: '/nonexistent' })).toMatchObject({
      delivered: false,
      error: 'the file that syslog_tls_ca_cert names is not a PEM file that we can read',
    });
    expect(await collector.received()).toEqual([]);
    expect(await send({ ...unknown, syslog_tls_verify: false })).toMatchObject({ delivered: true });
    const byName = { ...unknown, syslog_host: 'localhost', syslog_tls_ca_cert: collector.caFile };
    expect(await send(byName)).toMatchObject({ delivered: true });
  });

  it('that requires a client certificate accepts ours, and receives nothing without it', async () => {
    await using dir = await temporaryDir();
    const { certificate, key } = makeCertificate();
    const [cert, keyFile] = [path.join(dir.path, 'client.crt'), path.join(dir.path, 'client.key')];
    await writeFile(cert, certificate);
    await writeFile(keyFile, key);
    await using collector = await startSyslog({ protocol: 'tcp+tls', clientCa: certificate });
    const without = settingsFor(collector, { syslog_protocol: 'tcp+tls' });
    expect(await sendSyslog(entries, without, { hostname, resolve, timeouts })).toMatchObject({
      delivered: false,
    });
    const having = {
      ...without,
      syslog_auth_enabled: true,
      syslog_auth_username: 'not told',
      syslog_tls_client_cert: cert,
      syslog_tls_client_key: keyFile,
    };
    expect(await sendSyslog(entries, having, { hostname, resolve, timeouts })).toMatchObject({
      delivered: true,
    });
    await expect.poll(collector.received).toHaveLength(1);
    expect(JSON.stringify(await collector.received())).not.toContain('not told');
  });

  it.each(['udp', 'tcp', 'tcp+tls'] as const)(
    'that does not listen is an error, over %s',
    async (syslog_protocol) => {
      const settings = settingsFor({ port: 1 }, { syslog_protocol });
      expect(await sendSyslog(entries, settings, { hostname, resolve, timeouts })).toMatchObject({
        delivered: false,
        error: 'nothing listens there',
      });
    },
  );

  it.each([
    ['hangs up at once', 'closes', /closed before|reset/],
    ['never reads', 'deaf', /in time/],
    ['never finishes the handshake', 'silent', /no answer in time/],
  ] as const)('that %s has taken nothing', async (_, how, error) => {
    await using server = await misbehaving(how);
    const tls = how === 'silent';
    const settings = settingsFor(server, { syslog_protocol: tls ? 'tcp+tls' : 'tcp' });
    const many =
      how === 'deaf'
        ? Array.from({ length: 3_000 }, () => ({
            ...auditEntry(EVENT, '1'),
            document: { x: 'y'.repeat(5_000) },
          }))
        : entries;
    const delivery = await sendSyslog(many, settings, {
      hostname,
      resolve,
      // What ends in no timeout has time for it, as a busy machine needs.
      timeouts: how === 'closes' ? timeouts : { connectMs: 300, answerMs: 300 },
    });
    expect(delivery.delivered).toBe(false);
    expect(delivery.error).toMatch(error);
  });

  it('is abandoned as soon as the delivery is aborted', async () => {
    await using server = await misbehaving('deaf');
    const settings = settingsFor(server, { syslog_protocol: 'tcp' });
    const signal = AbortSignal.timeout(100);
    // No limit of the delivery ends it, so that only the abort can.
    const timeouts = { connectMs: 2 ** 31 - 1, answerMs: 2 ** 31 - 1 };
    const sending = sendSyslog(entries, settings, { hostname, resolve, signal, timeouts });
    expect(await sending).toMatchObject({ delivered: false });
  });
});

async function misbehaving(how: 'closes' | 'deaf' | 'silent') {
  const sockets = new Set<ReturnType<typeof connect>>();
  const server = createServer({ pauseOnConnect: how === 'deaf', allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (how === 'closes') socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the addresses of the collector', () => {
  const entries = [auditEntry(EVENT, '1')];

  it.each(['udp', 'tcp', 'tcp+tls'] as const)(
    'G14: one that may not be reached gets nothing over %s',
    async (protocol) => {
      await using server = await startSyslog({ protocol });
      const refusing = () => Promise.reject(forbidden('EGRESS_OWN_SERVICE', 'not there'));
      const settings = settingsFor(server, { syslog_protocol: protocol });
      const result = await sendSyslog(entries, settings, { hostname, resolve: refusing, timeouts });
      expect(result).toEqual({
        delivered: false,
        code: 'EGRESS_OWN_SERVICE',
        params: {},
        error: 'not there',
        transcript: [],
      });
    },
  );

  it('G14: those that were checked are used, and the name is not resolved again', async () => {
    await using server = await startSyslog({ protocol: 'tcp' });
    const settings = settingsFor(server, { syslog_host: 'logs.invalid', syslog_protocol: 'tcp' });
    const judged: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(
      await sendSyslog(entries, settings, { hostname, resolve: judged, timeouts }),
    ).toMatchObject({
      delivered: true,
    });
  });
});

it('G19: a missing file and one without PEM give the same error', async () => {
  await using dir = await temporaryDir();
  const there = path.join(dir.path, 'there');
  await writeFile(there, 'root:x:0:0');
  const errors = await Promise.all(
    [there, path.join(dir.path, 'missing')].map(async (file) => {
      const settings = settingsFor({ port: 1, caFile: file }, { syslog_protocol: 'tcp+tls' });
      return (await sendSyslog([auditEntry(EVENT, '1')], settings, { hostname, resolve, timeouts }))
        .error;
    }),
  );
  expect(errors[0]).toBe(errors[1]);
  expect(errors[0]).toContain('syslog_tls_ca_cert');
});
