import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate } from '@portcullis/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { openApi } from './api.ts';
import { siteOf } from './connection.ts';
import { exchangeToken } from './exchange.ts';

const JOB = '0199d1f0-0000-7000-8000-000000000000';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Planned {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of the body as JSON. */
  page?: string;
}

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers in this order; the last one again and again. */
async function serving(...answers: Planned[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    const {
      status = 200,
      headers: sent = {},
      body = {},
      page = JSON.stringify(body),
    } = answers[Math.min(seen.length, answers.length) - 1] ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...sent });
    response.end(page);
  });
  const site = siteOf(`http://127.0.0.1:${await listening(server)}`);
  return { seen, site, api: openApi({ site, token: 'pct_1', name: 'test' }) };
}

const PROBLEM = { code: 'VULN_BLOCKED', detail: 'It is blocked.', status: 403 };

describe('a call', () => {
  it('is the request of the operation, with the token', async () => {
    const { api, seen } = await serving({ body: [] });
    await api.call('staging.listJobs', { query: { status: ['staged', 'pushed'], limit: 20 } });
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: '/api/staging/jobs?status=staged%2Cpushed&limit=20',
        headers: { authorization: 'Bearer pct_1', 'user-agent': 'test' },
      },
    ]);
  });

  it('is sent again after a failure with the same idempotency key, where there is one', async () => {
    const down = {
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'QUEUE_UNAVAILABLE' },
    };
    const { api, seen } = await serving(down, { status: 202, body: { job_id: JOB } });
    const job = await api.call('staging.pull', { body: { image: 'nginx', tag: '1' } });
    expect(job.job_id).toBe(JOB);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([
      { image: 'nginx', tag: '1' },
      { image: 'nginx', tag: '1' },
    ]);
    const [first, second] = seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it('that may not be executed twice is sent once', async () => {
    const { api, seen } = await serving({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
    const request = api.call('staging.cancelJob', { params: { job_id: JOB } });
    await expect(request).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      kind: 'unavailable',
    });
    expect(seen).toHaveLength(1);
  });

  it('fails with the code of the server and the wrong fields', async () => {
    const errors = [{ path: 'tag', message: 'A tag is expected.' }];
    const { api } = await serving({
      status: 422,
      body: { ...PROBLEM, code: 'VALIDATION_FAILED', errors },
    });
    await expect(api.call('staging.pull', { body: { image: 'a', tag: '' } })).rejects.toMatchObject(
      {
        code: 'VALIDATION_FAILED',
        kind: 'invalid',
        message: 'It is blocked; tag: A tag is expected',
      },
    );
  });

  it('says once what is wrong with each of many images', async () => {
    const errors = ['images.0', 'images.1'].map((path) => ({ path, message: PROBLEM.detail }));
    const { api } = await serving({ status: 403, body: { ...PROBLEM, errors } });
    await expect(api.call('auth.me')).rejects.toMatchObject({ message: 'It is blocked' });
  });

  it('fails with the status of a page that is not ours', async () => {
    const { api } = await serving({ status: 404, body: 'not found' });
    await expect(api.call('auth.me')).rejects.toMatchObject({
      code: 'HTTP_404',
      kind: 'not_found',
    });
  });

  it('of a list has the next page and the total', async () => {
    const headers = { link: '</api/staging/jobs?cursor=abc%3D>; rel="next"', 'x-total-count': '7' };
    const { api } = await serving({ headers, body: [] });
    expect(await api.page('staging.listJobs')).toEqual({ items: [], next: 'abc=', total: 7 });
  });
});

describe('an address that answers with a page', () => {
  const page = '<!doctype html><title>Not a Portcullis</title>';

  it('is named in the fault of a call, with what to check', async () => {
    const { api, site } = await serving({ page });
    await expect(api.call('auth.me')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'SITE_ANSWER_INVALID',
      message: expect.stringContaining(`${site.host} did not answer in JSON; check`),
    });
  });

  it('gives no token for an identity token', async () => {
    const { site } = await serving({ page });
    const exchanged = exchangeToken({ site, name: 'test' }, 'ey.identity');
    await expect(exchanged).rejects.toMatchObject({ code: 'SITE_ANSWER_INVALID' });
  });
});

describe('a download', () => {
  it('yields the bytes', async () => {
    const { api } = await serving({ body: { version: '2.1.0' } });
    const params = { job_id: JOB };
    const chunks = await api.download('staging.downloadReport', {
      params,
      query: { format: 'sarif' },
    });
    expect(await text(chunks)).toBe('{"version":"2.1.0"}');
  });

  it('fails with the code of the server', async () => {
    const { api } = await serving({
      status: 404,
      body: { code: 'REPORT_UNKNOWN', detail: 'None.' },
    });
    const request = api.download('staging.downloadReport', { params: { job_id: JOB } });
    await expect(request).rejects.toMatchObject({ code: 'REPORT_UNKNOWN' });
  });
});

describe('a site with a certificate of a private authority', () => {
  async function secured() {
    const certificate = makeCertificate();
    const server = createTlsServer(
      { key: certificate.key, cert: certificate.certificate },
      (_, response) => {
        response.end(JSON.stringify({ username: 'ci' }));
      },
    );
    const port = await listening(server);
    return { certificate, port, site: siteOf(`localhost:${port}`) };
  }

  it('is refused with a remedy, and accepted with the authority', async () => {
    const { certificate, site } = await secured();
    const stranger = openApi({ site, token: 't', name: 'test' });
    await expect(stranger.call('auth.me')).rejects.toMatchObject({
      code: 'SITE_TLS_FAILED',
      message: expect.stringContaining('--ca'),
    });
    const api = openApi({ site, token: 't', name: 'test', ca: certificate.certificate });
    expect(await api.call('auth.me')).toEqual({ username: 'ci' });
  });

  it('is reached through HTTPS_PROXY, unless NO_PROXY names it', async () => {
    const { certificate, port, site } = await secured();
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const target = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
    });
    const HTTPS_PROXY = `http://127.0.0.1:${await listening(proxy)}`;
    for (const NO_PROXY of ['', 'localhost']) {
      const options = { site, token: 't', name: 'test', ca: certificate.certificate };
      const api = openApi({ ...options, proxy: { HTTPS_PROXY, NO_PROXY } });
      expect(await api.call('auth.me')).toEqual({ username: 'ci' });
      api.close();
    }
    expect(tunnels).toEqual([`localhost:${port}`]);
  });
});

describe('the exchange of an identity token', () => {
  it('is a form of RFC 8693, and its token ends', async () => {
    const { site, seen } = await serving({ body: { access_token: 'pct_2', expires_in: 900 } });
    const { token, expiresAt } = await exchangeToken({ site, name: 'test' }, 'ey.identity');
    expect(token).toBe('pct_2');
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      subject_token: 'ey.identity',
    });
  });

  it('fails with the code of the server', async () => {
    const { site } = await serving({
      status: 401,
      body: { code: 'IDENTITY_UNTRUSTED', detail: 'No.' },
    });
    await expect(exchangeToken({ site, name: 'test' }, 'ey')).rejects.toMatchObject({
      code: 'IDENTITY_UNTRUSTED',
      kind: 'unauthenticated',
    });
  });
});

describe('an address', () => {
  it.each([
    ['images.example.com', 'https://images.example.com'],
    ['https://images.example.com/jobs?x=1', 'https://images.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ])('%s is %s', (given, origin) => expect(siteOf(given).origin).toBe(origin));

  it.each(['', 'ftp://images.example.com', 'https://a:b@images.example.com'])(
    '"%s" is refused',
    (given) =>
      expect(() => siteOf(given)).toThrow(expect.objectContaining({ code: 'SITE_INVALID' })),
  );
});
