/**
 * Attacks on the whole server, as `npm start` runs it, that once succeeded; each names the finding
 * of the review.
 */
import { connect } from 'node:net';
import { containerTools, pushImage, scratchImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './api.fixture.ts';

const BUDGET = 20;

let api: TestApi;
let image: TestImage;

beforeAll(async () => {
  api = await startApi({
    RATE_LIMIT_ENABLED: 'true',
    RATE_LIMIT_ACCOUNT_PER_MINUTE: String(BUDGET),
  });
  const id = await api.account('ann');
  await api.grant(id, 'team', { canPull: true, canPush: true });
  image = await scratchImage();
  await pushImage(api.url, 'team/searched', '1', image, { credentials: ANN });
});
afterAll(() => api?.stop());

const ANN = { username: 'ann', password: 'pass-of-ann' };
const basic = (name: string) =>
  `Basic ${Buffer.from(`${name}:pass-of-${name}`).toString('base64')}`;

/** Sends the lines unchanged, and the body after `after` was received. */
async function raw(lines: string[], body = '', after: RegExp | null = null): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let said = '';
  socket.write(`${lines.join('\r\n')}\r\n\r\n${after ? '' : body}`);
  for await (const chunk of socket) {
    const waited = after?.test(said) === false;
    said += chunk;
    if (waited && after.test(said)) socket.write(body);
  }
  return said;
}

describe('G4: `podman search` took the web page for an answer', () => {
  it('podman finds what the account may pull, and says so when it finds nothing', async () => {
    await using tools = await containerTools();
    await tools.podman('login', '--tls-verify=false', '-u', 'ann', '-p', ANN.password, api.host);
    const found = await tools.podman(
      'search',
      '--tls-verify=false',
      '--format',
      '{{.Name}}',
      `${api.host}/searched`,
    );
    expect(found.trim()).toBe(`${api.host}/team/searched`);
    const none = await tools.podman(
      'search',
      '--tls-verify=false',
      '--format',
      '{{.Name}}',
      `${api.host}/absent`,
    );
    expect(none.trim()).toBe('');
  });
});

describe('G9: an account could keep the process busy with manifests', () => {
  const put = (name: string, tag: string, body: string) =>
    fetch(`${api.url}/v2/team/many/manifests/${tag}`, {
      method: 'PUT',
      headers: { authorization: basic(name), 'content-type': image.descriptor.mediaType },
      body,
    });

  it('a large manifest counts several times, the account gets Retry-After, and another account continues', async () => {
    for (const name of ['large', 'other']) {
      const id = await api.account(name);
      await api.grant(id, 'team', { canPull: true, canPush: true });
    }
    const large = JSON.stringify({ annotations: { a: 'x'.repeat(BUDGET * 64 * 1024) } });
    const refused = await put('large', '1', large);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
    expect((await put('large', '2', '{}')).status).toBe(429);
    expect((await put('other', '3', '{}')).status).toBe(400);
  });

  it('small ones are counted one by one', async () => {
    const id = await api.account('small');
    await api.grant(id, 'team', { canPull: true, canPush: true });
    const statuses: number[] = [];
    for (let n = 0; n <= BUDGET; n++) statuses.push((await put('small', '1', '{}')).status);
    // The window may end in between; a new one then starts, and waiting clients are not refused.
    expect(statuses.slice(0, BUDGET)).toEqual(Array.from({ length: BUDGET }, () => 400));
    expect([400, 429]).toContain(statuses.at(-1));
  });
});

describe('G11: a body was asked for before the credentials were looked at', () => {
  const body = () => Buffer.from(image.bytes).toString();
  const head = (...more: string[]) => [
    'PUT /v2/team/continued/manifests/1 HTTP/1.1',
    `Host: ${api.host}`,
    'Connection: close',
    `Content-Type: ${image.descriptor.mediaType}`,
    `Content-Length: ${image.bytes.length}`,
    'Expect: 100-continue',
    ...more,
  ];

  it.each([
    ['no credential', [], 401],
    [
      'a wrong password',
      [`Authorization: Basic ${Buffer.from('ann:wrong').toString('base64')}`],
      401,
    ],
    ['no right', [`Authorization: ${basic('stranger')}`], 403],
  ])('with %s the answer comes without `100 Continue`', async (_, credential, status) => {
    if (status === 403) await api.account('stranger');
    const said = await raw(head(...credential));
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(said).toMatch(/^connection: close\r$/im);
  });

  it('with the right the client is asked for its body, and it is stored', async () => {
    await pushImage(api.url, 'team/continued', '0', image, { credentials: ANN });
    const said = await raw(head(`Authorization: ${basic('ann')}`), body(), /100 Continue\r\n\r\n/);
    expect(said).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  it('clients of the REST API that wait are asked, too', async () => {
    const sent = JSON.stringify(ANN);
    const lines = [
      'POST /api/auth/login HTTP/1.1',
      `Host: ${api.host}`,
      'Connection: close',
      'Expect: 100-continue',
    ];
    lines.push('Content-Type: application/json', `Content-Length: ${sent.length}`);
    expect(await raw(lines, sent, /100 Continue\r\n\r\n/)).toMatch(
      /100 Continue\r\n\r\nHTTP\/1.1 200 /,
    );
  });
});

describe('G11: of two Host headers the first was taken', () => {
  it.each(['/v2/', '/api/health', '/'])('%s is 400', async (path) => {
    const said = await raw([
      `GET ${path} HTTP/1.1`,
      `Host: ${api.host}`,
      'Host: other.example',
      'Connection: close',
    ]);
    expect(said).toMatch(/^HTTP\/1.1 400 /);
  });

  it('one is right', async () => {
    expect(
      await raw(['GET /api/health HTTP/1.1', `Host: ${api.host}`, 'Connection: close']),
    ).toMatch(/^HTTP\/1.1 200 /);
  });
});
