/** Network settings over REST: precedence, secrets, effect, and results of deliveries. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NetworkConfig } from '@portcullis/contract';
import { liveNetwork, liveSettings } from '@portcullis/events';
import { createLogger, sealer } from '@portcullis/runtime';
import { json, startSmtp, startSyslog } from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  published,
  startApi,
  type TestApi,
  withinASecond,
} from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi({
    SYSLOG_HOST: 'from-env',
    EMAIL_PASSWORD: 'env-passw0rd',
    HTTP_PROXY: 'http://env-proxy:1',
    DOCKERHUB_API_URL: 'http://hub.example',
    NO_PROXY: '127.0.0.1',
  });
  await api.account('root', { isAdmin: true });
  admin = await api.as('root');
});
afterAll(() => api.stop());
afterEach(async () => {
  for (const section of ['proxy', 'syslog', 'email']) await admin.delete(`/api/network/${section}`);
});

async function config(): Promise<NetworkConfig> {
  return NetworkConfig.parse(await json(admin.get('/api/network/config')));
}

async function asJson(response: Promise<Response> | Response) {
  const answer = await response;
  return { status: answer.status, body: await answer.json() };
}

describe('a section', () => {
  it('comes from the environment, from the store once overridden, and from the environment again', async () => {
    expect((await config()).syslog).toMatchObject({
      syslog_host: 'from-env',
      source: 'env',
      syslog_port: 514,
    });
    const set = await asJson(admin.put('/api/network/syslog', { syslog_port: 1514 }));
    expect(set).toMatchObject({
      status: 200,
      body: { syslog_host: 'from-env', syslog_port: 1514, source: 'override' },
    });
    expect((await config()).syslog).toEqual(set.body);
    expect((await admin.delete('/api/network/syslog')).status).toBe(204);
    expect((await config()).syslog).toMatchObject({ syslog_port: 514, source: 'env' });
  });

  it('takes effect in every process within a second', async () => {
    const settings = liveSettings(api.redis, api.store.settings);
    const log = createLogger({ name: 'other', level: 'silent' });
    const { syslog, email, proxy } = await config();
    const other = liveNetwork({
      settings,
      env: { syslog, email, proxy },
      open: sealer(Buffer.alloc(32, 1)).open,
      log,
    });
    await other.start();
    await admin.put('/api/network/email', { password: 'other-passw0rd', host: 'mail.example' });
    const changed = { host: 'mail.example', password: 'other-passw0rd' };
    await withinASecond(() => expect(other.current().email).toMatchObject(changed));
    other.stop();
    settings.close();
  });

  it.each([
    ['syslog', { syslog_port: 0 }, ['syslog_port']],
    ['syslog', { syslog_rfc: 'rfc1', syslog_protocol: 'x' }, ['syslog_protocol', 'syslog_rfc']],
    ['syslog', { syslog_framing: 'lf' }, ['syslog_framing']],
    ['syslog', { syslog_host: 'a b' }, ['syslog_host']],
    ['syslog', { port: 1 }, ['port']],
    ['email', { enabled: true, host: 'h' }, ['from_address', 'to_addresses']],
    ['email', { to_addresses: ['a@example.com\r\nBcc: b@example.com'] }, ['to_addresses.0']],
    ['proxy', { http_proxy: 'socks5://x', https_proxy: 'http://u:********@x' }, ['http_proxy']],
    ['proxy', { https_proxy: 'http://u:********@x' }, ['https_proxy']],
  ])('%s with %j is refused, naming %j', async (section, body, paths) => {
    const { status, body: problem } = await asJson(admin.put(`/api/network/${section}`, body));
    expect(status).toBe(422);
    expect(problem.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  });
});

describe('secrets', () => {
  it('are never shown, sealed at rest, and kept when they are absent or masked', async () => {
    expect((await config()).email.password).toBe('********');
    await admin.put('/api/network/email', {
      ...(await config()).email,
      source: undefined,
      host: 'mail.example',
    });
    await admin.put('/api/network/syslog', { syslog_auth_password: 'syslog-passw0rd' });
    await admin.put('/api/network/proxy', { http_proxy: 'http://u:proxy-passw0rd@proxy:3128' });
    await admin.put('/api/network/proxy', { http_proxy: 'http://u:********@proxy:3128' });
    const shown = await config();
    expect([
      shown.email.password,
      shown.syslog.syslog_auth_password,
      shown.proxy.http_proxy,
    ]).toEqual(['********', '********', 'http://u:********@proxy:3128']);
    const stored = await api.store.settings.all();
    const { open } = sealer(Buffer.alloc(32, 1));
    expect(stored).toMatchObject({ 'network.email': { host: 'mail.example' } });
    const sealed = JSON.stringify(stored).match(/1\.[0-9a-f]{8}\.[\w-]+/g) ?? [];
    expect(sealed.map(open).sort()).toEqual([
      'env-passw0rd',
      'http://u:proxy-passw0rd@proxy:3128',
      'syslog-passw0rd',
    ]);
    const everywhere = JSON.stringify([stored, shown, await published(api), api.log]);
    expect(everywhere).not.toMatch(/passw0rd/);
  });
});

describe('the proxy', () => {
  it('is used by the next search of Docker Hub, and not after its removal', async () => {
    await using proxy = await startProxy();
    const search = (q: string) => admin.get(`/api/staging/search/dockerhub?q=${q}`);
    expect((await search('before')).status).toBe(503);
    await admin.put('/api/network/proxy', { http_proxy: proxy.url });
    await withinASecond(async () => expect((await search('during')).status).toBe(200));
    expect(proxy.requestUrls[0]).toMatch(/^http:\/\/hub\.example\/.*during/);
    await admin.delete('/api/network/proxy');
    await withinASecond(async () =>
      expect((await search(`after-${randomUUID()}`)).status).toBe(503),
    );
  });
});

describe('deliveries', () => {
  const mail = (port: number, more = {}) => ({
    enabled: true,
    host: '127.0.0.1',
    port,
    security: 'none',
    password: null,
    from_address: 'gate@example.com',
    to_addresses: ['ops@example.com', 'gone@example.com'],
    ...more,
  });

  it('the recent events are sent to all recipients, oldest first, and refusals are reported', async () => {
    await using server = await startSmtp({ refuses: (recipient) => recipient.startsWith('gone') });
    await admin.put('/api/network/email', mail(server.port));
    const { status, body } = await asJson(admin.post('/api/network/email/send'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      delivered: true,
      recipients: [
        { address: 'ops@example.com', accepted: true },
        { address: 'gone@example.com', accepted: false },
      ],
    });
    const content = server.mails[0]?.email.attachments[0]?.content ?? '';
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(0).event).toBe('auth.login');
    expect(events.at(-1)).toMatchObject({
      event: 'network.email',
      resource: { name: 'network.email' },
    });
  });

  it('a test message arrives; a refusal is a 502 with the server’s words, and no secret', async () => {
    const auth = { username: 'gate', password: 'mail-passw0rd' };
    await using server = await startSmtp({ auth, security: 'ssl' });
    const settings = mail(server.port, { ...auth, security: 'ssl', tls_ca_cert: server.caFile });
    await admin.put('/api/network/email', settings);
    expect(await asJson(admin.post('/api/network/email/test'))).toMatchObject({
      status: 200,
      body: { delivered: true },
    });
    expect(server.mails[0]).toMatchObject({
      secure: true,
      email: { subject: '[Portcullis] test' },
    });
    await admin.put('/api/network/email', { password: 'wrong-passw0rd' });
    const refused = await asJson(admin.post('/api/network/email/test'));
    expect(refused).toMatchObject({
      status: 502,
      body: { delivered: false, error: 'the server refused: 535 wrong user or password' },
    });
    expect(JSON.stringify(refused)).not.toContain('passw0rd');
    expect((await published(api, 1))[0]).toMatchObject({
      event: 'network.email_test',
      outcome: 'failure',
    });
  });

  it('a test entry reaches the collector, which is unknown for UDP; a closed port is a 502', async () => {
    await using tcp = await startSyslog({ protocol: 'tcp', readsLines: true });
    const entry = {
      syslog_enabled: true,
      syslog_host: '127.0.0.1',
      syslog_port: tcp.port,
      syslog_protocol: 'tcp',
      syslog_framing: 'newline',
    };
    await admin.put('/api/network/syslog', entry);
    expect(await asJson(admin.post('/api/network/syslog/test'))).toMatchObject({
      status: 200,
      body: {
        delivered: true,
        transcript: expect.arrayContaining(['the collector closed in good order']),
      },
    });
    await expect.poll(tcp.received).toMatchObject([
      {
        msgid: 'syslog_test',
        app: 'portcullis',
        sd: { 'portcullis@32473': { event: 'syslog_test', actor: 'root' } },
      },
    ]);

    await using udp = await startSyslog({ protocol: 'udp' });
    await admin.put('/api/network/syslog', { syslog_port: udp.port, syslog_protocol: 'udp' });
    const { status, body } = await asJson(admin.post('/api/network/syslog/test'));
    expect([status, body.delivered, body.transcript.join()]).toEqual([
      200,
      null,
      expect.stringContaining('UDP has no answer'),
    ]);
    await expect.poll(udp.received).toHaveLength(1);

    await admin.put('/api/network/syslog', { syslog_port: 1, syslog_protocol: 'tcp' });
    expect(await asJson(admin.post('/api/network/syslog/test'))).toMatchObject({
      status: 502,
      body: { delivered: false, error: 'nothing listens there' },
    });
  });

  const inner = (name: 'redis' | 'registry') =>
    Number(
      new URL(name === 'redis' ? (api.surroundings.env.REDIS_URL ?? '') : api.registry.url).port,
    );
  it.each([
    ['our own Redis', () => ['127.0.0.1', inner('redis')], /internal service/],
    ['our own Redis by a name', () => ['localhost', inner('redis')], /internal service/],
    [
      'our own registry by another spelling',
      () => ['127.1.2.3', inner('registry')],
      /internal service/,
    ],
    ['the metadata service of a cloud', () => ['169.254.169.254', 80], /metadata addresses/],
  ] as const)('G14: %s is no collector and no mail server', async (_, target, error) => {
    const [host, port] = target();
    const syslog = {
      syslog_enabled: true,
      syslog_protocol: 'tcp',
      syslog_host: host,
      syslog_port: port,
    };
    const email = {
      enabled: true,
      host,
      port,
      security: 'none',
      from_address: 'a@example.com',
      to_addresses: ['b@example.com'],
    };
    await admin.put('/api/network/syslog', syslog);
    await admin.put('/api/network/email', email);
    for (const path of ['/api/network/syslog/test', '/api/network/email/test'])
      expect(await asJson(admin.post(path)), path).toMatchObject({
        status: 502,
        body: { delivered: false, error: expect.stringMatching(error), transcript: [] },
      });
  });

  it.each([
    ['/api/network/email/send', 'EMAIL_DISABLED'],
    ['/api/network/email/test', 'EMAIL_DISABLED'],
    ['/api/network/syslog/test', 'SYSLOG_DISABLED'],
  ])('%s is a conflict while it is switched off', async (path, code) => {
    expect(await asJson(admin.post(path))).toMatchObject({ status: 409, body: { code } });
  });
});

async function startProxy() {
  const requestUrls: string[] = [];
  const server = createServer((incoming: IncomingMessage, response) => {
    requestUrls.push(incoming.url ?? '');
    response.setHeader('content-type', 'application/json').end('{"results":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requestUrls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
