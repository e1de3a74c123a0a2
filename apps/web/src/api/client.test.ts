import { endpoints } from '@portcullis/client/endpoints';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { isProblem, ProblemError } from './problem-error.ts';

const JOB = '0199d1f0-0000-7000-8000-000000000000';
const PROBLEM = {
  type: 'about:blank',
  title: '',
  status: 403,
  detail: 'No.',
  code: 'VULN_BLOCKED',
  request_id: 'r',
};

interface Sent extends RequestInit {
  url: string;
  headers: Record<string, string>;
}

/** A server that sends these responses in order. */
function server(...answers: (() => Response)[]) {
  const sent: Sent[] = [];
  const operationNames: string[] = [];
  const renewed: boolean[] = [];
  const client = createClient({
    operations: endpoints() as Parameters<typeof createClient>[0]['operations'],
    fetch: async (url, init) => {
      sent.push({
        ...init,
        url: String(url),
        headers: Object.fromEntries(new Headers(init?.headers)),
      });
      const answer = answers[sent.length - 1];
      if (!answer) throw new TypeError('fetch failed');
      return answer();
    },
    renew: async (name) => {
      operationNames.push(name);
      return renewed.shift() ?? false;
    },
  });
  return { client, sent, operationNames, renewed };
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init);

describe('a call', () => {
  it('uses the operation’s path with its method, parameters and query', async () => {
    const { client, sent } = server(json([]), json({}));
    await client.call('staging.listJobs', {
      query: { status: ['staged', 'pushed'], q: '', limit: 20 },
    });
    await client.call('staging.cancelJob', { params: { job_id: JOB } });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/staging/jobs?status=staged%2Cpushed&limit=20',
      `POST /api/staging/jobs/${JOB}/cancel`,
    ]);
  });

  it('sends a body as JSON, with an idempotency key where the operation accepts one', async () => {
    const { client, sent } = server(json({}), json({}));
    await client.call('staging.pull', { body: { image: 'nginx', tag: '1' } });
    await client.call('auth.login', { body: { username: 'a', password: 'b' } });
    expect(sent[0]).toMatchObject({ body: '{"image":"nginx","tag":"1"}' });
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(sent[1]?.headers['idempotency-key']).toBeUndefined();
  });

  it('returns nothing for an empty response', async () => {
    const { client } = server(() => new Response(null, { status: 204 }));
    expect(await client.call('auth.logout')).toBeUndefined();
  });
});

describe('a list', () => {
  it('has its total and the next cursor', async () => {
    const link = '</api/staging/jobs?limit=50&cursor=abc%3D>; rel="next"';
    const { client } = server(json([1], { headers: { link, 'x-total-count': '120' } }), json([2]));
    expect(await client.page('staging.listJobs')).toEqual({ items: [1], next: 'abc=', total: 120 });
    expect(await client.page('staging.listJobs')).toEqual({ items: [2], next: null, total: null });
  });
});

describe('an error', () => {
  it.each<[string, () => Response, Partial<ProblemError>]>([
    [
      'the server’s problem document',
      json(PROBLEM, { status: 403 }),
      { code: 'VULN_BLOCKED', message: 'No.', status: 403 },
    ],
    [
      'faults by field',
      json({ ...PROBLEM, status: 422, errors: [{ path: 'tag', message: 'bad' }] }, { status: 422 }),
      { fields: { tag: 'bad' } },
    ],
    [
      'the delay before a retry',
      json({ ...PROBLEM, code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '7' } }),
      { code: 'RATE_LIMITED', retryAfter: 7 },
    ],
    [
      'an HTML page of a proxy',
      () => new Response('<h1>', { status: 502 }),
      { code: 'HTTP_502', status: 502 },
    ],
  ])('reads %s', async (_, answer, expected) => {
    const { client } = server(answer);
    const error = await client.call('staging.listJobs').catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject(expected);
  });

  it('has the code NETWORK without a response', async () => {
    const error = await server()
      .client.call('staging.listJobs')
      .catch((fault: unknown) => fault);
    expect(isProblem(error, 'NETWORK')).toBe(true);
  });
});

describe('an expired session', () => {
  const gone = json({ ...PROBLEM, status: 401, code: 'TOKEN_INVALID' }, { status: 401 });

  it('is renewed, and the call is repeated with the same key', async () => {
    const { client, sent, operationNames, renewed } = server(gone, json({ job_id: JOB }));
    renewed.push(true);
    expect(await client.call('staging.pull', { body: { image: 'a', tag: 'b' } })).toEqual({
      job_id: JOB,
    });
    expect(operationNames).toEqual(['staging.pull']);
    expect(sent[1]?.headers['idempotency-key']).toBe(sent[0]?.headers['idempotency-key']);
  });

  it('is an error if it is not renewed', async () => {
    const { client, sent } = server(gone);
    await expect(client.call('staging.listJobs')).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    expect(sent).toHaveLength(1);
  });
});

it('a request of a page that is closed outlives it, and its failure is no error', async () => {
  const { client, sent } = server();
  client.leave('staging.bulkJobs', { body: { action: 'delete', ids: [JOB] } });
  expect(sent).toMatchObject([{ url: '/api/staging/jobs/bulk', method: 'POST', keepalive: true }]);
});

it('a link has the URL of the operation', () => {
  const { client } = server();
  expect(
    client.url('staging.downloadReport', { params: { job_id: JOB }, query: { format: 'sarif' } }),
  ).toBe(`/api/staging/jobs/${JOB}/report?format=sarif`);
});
