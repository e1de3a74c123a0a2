import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as laterTurn } from 'node:timers/promises';
import type { Contract } from '@portcullis/contract';
import { conflict, unauthenticated, unavailable } from '@portcullis/errors';
import type { AuditEvent } from '@portcullis/events';
import { createLogger } from '@portcullis/runtime';
import { json, refusal } from '@portcullis/testing';
import { samplePrincipal } from '@portcullis/testing/samples';
import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccountTurns } from './client/account-turns.ts';
import { requestId } from './client/request-id.ts';
import { errorHandler, unknownRoute } from './error-handler.ts';
import { implement } from './implement.ts';
import { mount } from './mount.ts';

const Thing = z.strictObject({ name: z.string(), size: z.number().int().min(0) });
const contract = {
  make: {
    method: 'post',
    path: '/things',
    summary: '',
    access: 'user',
    audit: 'registry.create',
    idempotent: true,
    body: Thing,
    success: { status: 201, body: Thing },
    faults: [
      { status: 409, codes: ['NAME_TAKEN'] },
      { status: 503, codes: ['DB_AWAY'] },
    ],
  },
  read: {
    method: 'get',
    path: '/things/{id}',
    summary: '',
    access: 'user',
    params: z.strictObject({ id: z.uuid() }),
    query: z.strictObject({ limit: z.coerce.number().max(10).default(5) }),
    success: { status: 200, body: z.number() },
  },
  rule: {
    method: 'post',
    path: '/rule',
    summary: '',
    access: 'admin',
    audit: 'policy.update',
    success: { status: 204 },
  },
  start: {
    method: 'post',
    path: '/start',
    summary: '',
    access: 'user',
    audit: 'system.gc',
    body: z.strictObject({ dry_run: z.boolean().default(false) }),
    success: { status: 204 },
  },
  open: {
    method: 'post',
    path: '/open',
    summary: '',
    access: 'public',
    audit: 'auth.login',
    success: { status: 204 },
  },
  lead: {
    method: 'get',
    path: '/lead',
    summary: '',
    access: 'public',
    audit: 'auth.logout',
    query: z.object({ to: z.string() }),
    success: { status: 302, faultsTo: '/sorry' },
    faults: [{ status: 401, codes: ['LOST'] }],
  },
} as const satisfies Contract;

const ID = '0199d1f0-0000-7000-8000-000000000000';
const lines: string[] = [];
const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
let events: AuditEvent[] = [];
let seen: string[] = [];
/** Events besides that of the audit scope. */
let beside: AuditEvent[] = [];
let mayHaveChanged = false;
let server: Server;
let base = '';

const routes = implement(contract, {
  async make({ body }, call) {
    seen.push(call.idempotency?.bodyHash ?? 'none');
    if (body.name === 'taken') throw conflict('NAME_TAKEN', 'The name is taken.');
    if (body.name === 'unheard') throw conflict('UNHEARD_OF', 'The contract does not say this.');
    if (body.name === 'crash') throw new Error('secret inner text');
    if (body.name === 'away')
      throw unavailable('DB_AWAY', 'The database is away.', { retryAfter: 7 });
    call.about({ kind: 'thing', id: null, name: body.name });
    return body;
  },
  async read({ query }) {
    return query.limit;
  },
  async rule() {},
  async start() {
    seen.push('started');
  },
  async open(_, call) {
    expect(call.principal).toBeNull();
  },
  async lead({ query }) {
    if (query.to === 'nowhere') throw unauthenticated('LOST', 'There is no way.');
    return query.to;
  },
});

beforeAll(async () => {
  const app = express();
  app.use(requestId(log, () => performance.now()));
  app.use(
    '/api',
    mount(routes, {
      async authenticate({ headers }) {
        if (headers.authorization === 'Bearer bad') throw unauthenticated('TOKEN_INVALID', 'no');
        if (headers.authorization === 'Bearer admin') return samplePrincipal({ isAdmin: true });
        return headers.authorization || headers.cookie ? samplePrincipal() : null;
      },
      audit: {
        scope: () => ({
          run: (work) => work(),
          async intend() {},
          end: async () => false,
          mayHaveChanged: () => mayHaveChanged,
        }),
        tell: async (event) => void beside.push(event),
        async end(scope, event) {
          await laterTurn();
          if (!(await scope.end(event)) && event !== null) events.push(event);
        },
      },
      publicUrl: 'https://registry.example.com',
      idempotencySecret: Buffer.alloc(32),
      turns: createAccountTurns(),
      checkReplies: true,
    }),
  );
  app.use(unknownRoute, errorHandler);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
afterAll(() => void server.close());
beforeEach(() => {
  events = [];
  seen = [];
  beside = [];
  mayHaveChanged = false;
});

const USER = { authorization: 'Bearer user' };
const JSON_USER = { ...USER, 'content-type': 'application/json' };

function make(body: string, headers: Record<string, string> = JSON_USER) {
  return fetch(`${base}/things`, { method: 'POST', headers, body });
}

describe('F5: a fault after an attempted write', () => {
  beforeEach(() => {
    mayHaveChanged = true;
  });

  it('of the server is an event beside the draft, which records what was committed', async () => {
    expect((await make('{"name":"away","size":1}')).status).toBe(503);
    expect(events).toEqual([]);
    expect(beside).toMatchObject([
      {
        outcome: 'failure',
        status: 503,
        detail: { code: 'DB_AWAY', continues: expect.any(String) },
      },
    ]);
    expect(beside[0]?.id).not.toBe(beside[0]?.detail.continues);
  });

  it('of the client is the end of the event: nothing was committed', async () => {
    expect((await make('{"name":"taken","size":1}')).status).toBe(409);
    expect(events).toMatchObject([{ outcome: 'failure', status: 409 }]);
    expect(beside).toEqual([]);
  });
});

describe('a fault', () => {
  it.each<[string, () => Promise<Response>, number, string]>([
    ['unparsable JSON is 400', () => make('{'), 400, 'BODY_UNPARSABLE'],
    [
      'F19: JSON behind a byte order mark is 400',
      () => make('\ufeff{"name":"a"}'),
      400,
      'BODY_UNPARSABLE',
    ],
    ['a body over the limit is 413', () => make(`"${'x'.repeat(2e6)}"`), 413, 'BODY_TOO_LARGE'],
    [
      'a body of more values than any operation takes is 413',
      () => make(`[${Array(32_001).fill('"four"').join()}]`),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a long body that is no JSON is 400',
      () => make(`"${'x'.repeat(1e5)}`),
      400,
      'BODY_UNPARSABLE',
    ],
    [
      'JSON in another charset than UTF-8 is 415',
      () => make('{}', { ...USER, 'content-type': 'application/json; charset="utf-16"' }),
      415,
      'CHARSET_UNSUPPORTED',
    ],
    [
      'another media type is 415',
      () => make('a=b', { ...USER, 'content-type': 'text/plain' }),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
    ],
    ['no credential is 401, whatever the body', () => make('{', {}), 401, 'CREDENTIAL_MISSING'],
    [
      'a bad credential is 401',
      () => make('{}', { authorization: 'Bearer bad' }),
      401,
      'TOKEN_INVALID',
    ],
    ['an ill-typed body is 422', () => make('[]'), 422, 'VALIDATION_FAILED'],
    [
      'text that no column takes is 422',
      () => make('{"name":"a\\u0000","size":1}'),
      422,
      'VALIDATION_FAILED',
    ],
    ['a conflict is 409', () => make('{"name":"taken","size":1}'), 409, 'NAME_TAKEN'],
    [
      'a fault that the contract does not know is ours',
      () => make('{"name":"unheard","size":1}'),
      500,
      'INTERNAL',
    ],
    ['an unavailable dependency is 503', () => make('{"name":"away","size":1}'), 503, 'DB_AWAY'],
    ['anything else is 500', () => make('{"name":"crash","size":1}'), 500, 'INTERNAL'],
    [
      'an admin’s route is 403 for others',
      () => fetch(`${base}/rule`, { method: 'POST', headers: USER }),
      403,
      'ADMIN_ONLY',
    ],
    [
      'an id that is none is 404',
      () => fetch(`${base}/things/x`, { headers: USER }),
      404,
      'NOT_FOUND',
    ],
    [
      'a parameter that no operation has is 422',
      () =>
        fetch(`${base}/rule?nonsense=1`, {
          method: 'POST',
          headers: { authorization: 'Bearer admin' },
        }),
      422,
      'VALIDATION_FAILED',
    ],
    [
      'an empty body is 422 also where no field is mandatory',
      () => fetch(`${base}/start`, { method: 'POST', headers: JSON_USER }),
      422,
      'VALIDATION_FAILED',
    ],
    [
      'an empty body of unknown length is 422',
      () =>
        fetch(`${base}/start`, {
          method: 'POST',
          headers: JSON_USER,
          body: new ReadableStream({ start: (to) => to.close() }),
          duplex: 'half',
        } as RequestInit),
      422,
      'VALIDATION_FAILED',
    ],
    [
      'another method is 405',
      () => fetch(`${base}/things/${ID}`, { method: 'DELETE' }),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['an unknown path is 404', () => fetch(`${base}/nothing`), 404, 'ROUTE_UNKNOWN'],
    [
      'a path that can’t be decoded is 400',
      () => fetch(`${base}/things/%ff`, { headers: USER }),
      400,
      'REQUEST_MALFORMED',
    ],
    [
      'a query out of range is 422',
      () => fetch(`${base}/things/${ID}?limit=11`, { headers: USER }),
      422,
      'VALIDATION_FAILED',
    ],
  ])('%s', async (_, ask, status, code) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const body = await response.json();
    expect(body).toMatchObject({
      type: 'about:blank',
      status,
      code,
      request_id: response.headers.get('x-request-id'),
    });
    expect(response.headers.has('www-authenticate')).toBe(status === 401);
  });

  it('lists all that is wrong, unknown fields too', async () => {
    const { errors } = await refusal(make('{"size":-1,"colour":"red"}'));
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'name',
      'size',
    ]);
  });

  it('of an empty body names what is missing', async () => {
    const response = await fetch(`${base}/things`, { method: 'POST', headers: USER });
    expect((await refusal(response)).errors).toHaveLength(2);
  });

  it('of ours hides its text and is logged with the request id', async () => {
    const response = await make('{"name":"crash","size":1}');
    expect(await response.text()).not.toContain('secret');
    const id = response.headers.get('x-request-id');
    expect(
      lines.some((line) => line.includes('secret inner text') && line.includes(String(id))),
    ).toBe(true);
  });

  it('that is temporary has Retry-After', async () => {
    expect((await make('{"name":"away","size":1}')).headers.get('retry-after')).toBe('7');
  });
});

describe('the audit event', () => {
  it('is published before the reply, with actor, resource and request', async () => {
    const response = await make('{"name":"a","size":1}', {
      ...JSON_USER,
      'x-request-id': 'my-own-id-1',
    });
    expect(response.status).toBe(201);
    expect(events).toMatchObject([
      {
        event: 'registry.create',
        outcome: 'success',
        status: 201,
        actor: { id: 'u', name: 'ann', auth: 'session' },
        resource: { kind: 'thing', name: 'a' },
        path: '/api/things',
        request_id: 'my-own-id-1',
      },
    ]);
  });

  it.each([
    ['NUL', 'a\\u0000b', 'a\uFFFDb'],
    ['half a character', 'a\\ud83d', 'a\uFFFD'],
    ['more than a name may have', `${'a'.repeat(254)}🔒`, `${'a'.repeat(254)}\uFFFD`],
  ])(
    'names a resource that was refused for %s as the archive can store it',
    async (_, name, noted) => {
      expect((await make(`{"name":"${name}","size":-1}`)).status).toBe(422);
      expect(events).toMatchObject([{ outcome: 'failure', resource: { name: noted } }]);
    },
  );

  it('records failures and denials, but no reads', async () => {
    await make('{"name":"taken","size":1}');
    await fetch(`${base}/rule`, { method: 'POST', headers: USER });
    await fetch(`${base}/things/${ID}`, { headers: USER });
    expect(events.map(({ event, outcome, detail }) => [event, outcome, detail.code])).toEqual([
      ['registry.create', 'failure', 'NAME_TAKEN'],
      ['policy.update', 'denied', 'ADMIN_ONLY'],
    ]);
  });

  it('has the codes of wrong fields, and neither their names nor their values', async () => {
    await make('{"size":-1,"s3cret":"s3cret"}');
    const faults = expect.arrayContaining(['REQUIRED', 'UNKNOWN_FIELD']);
    expect(events).toMatchObject([{ detail: { code: 'VALIDATION_FAILED', faults } }]);
    expect(JSON.stringify(events)).not.toContain('s3cret');
  });

  it('is not written for requests without a credential', async () => {
    await make('{}', {});
    expect(events).toEqual([]);
  });
});

describe('a cookie request', () => {
  const cookie = { cookie: 'pc_token=x', 'content-type': 'application/json' };
  it.each<[string, Record<string, string>, number]>([
    ['from the public URL', { origin: 'https://registry.example.com' }, 201],
    ['from no browser', {}, 201],
    ['from another site', { origin: 'https://evil.example' }, 403],
    ['from a sandboxed frame', { origin: 'null' }, 403],
    ['from another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s: %s', async (_, headers, status) => {
    expect((await make('{"name":"a","size":1}', { ...cookie, ...headers })).status).toBe(status);
  });

  it('with its own Authorization can’t be forged', async () => {
    expect(
      (await make('{"name":"a","size":1}', { ...JSON_USER, origin: 'https://evil.example' }))
        .status,
    ).toBe(201);
  });

  it('to a public route is checked, too', async () => {
    const response = await fetch(`${base}/open`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(response.status).toBe(403);
  });
});

describe('C9: the methods of a path', () => {
  it.each([
    ['/things/x', 'GET, HEAD, OPTIONS'],
    ['/things', 'OPTIONS, POST'],
  ])('%s are in the replies to OPTIONS and to an unsupported method', async (path, allowed) => {
    const options = await fetch(base + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, allowed]);
    const refused = await fetch(base + path, { method: 'PUT', headers: USER });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allowed]);
  });

  it('of a path that is not there are none', async () => {
    const options = await fetch(`${base}/nothing`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([404, null]);
  });
});

it('C5: an empty body starts nothing, {} does', async () => {
  await fetch(`${base}/start`, { method: 'POST', headers: USER });
  expect(seen).toEqual([]);
  const started = await fetch(`${base}/start`, { method: 'POST', headers: JSON_USER, body: '{}' });
  expect([started.status, seen]).toEqual([204, ['started']]);
});

it('a stale credential does not prevent access to a public route', async () => {
  const response = await fetch(`${base}/open`, {
    method: 'POST',
    headers: { authorization: 'Bearer bad' },
  });
  expect(response.status).toBe(204);
});

it('the same body has the same hash, whatever the order of its fields', async () => {
  const headers = { ...JSON_USER, 'idempotency-key': 'k' };
  await make('{"name":"a","size":1}', headers);
  await make('{"size":1,"name":"a"}', headers);
  await make('{"size":2,"name":"a"}', headers);
  expect(seen[0]).toBe(seen[1]);
  expect(seen[2]).not.toBe(seen[0]);
});

it('defaults reach the handler', async () => {
  expect(await json(fetch(`${base}/things/${ID}`, { headers: USER }))).toBe(5);
});

describe('an operation that redirects a browser', () => {
  const lead = (to: string, accept = 'text/html,*/*;q=0.8') =>
    fetch(`${base}/lead?to=${to}`, { redirect: 'manual', headers: { accept } });

  it.each([
    ['redirects', '/images', '*/*', 302, '/images'],
    [
      'leads a browser to a page that tells the fault',
      'nowhere',
      'text/html,*/*;q=0.8',
      302,
      '/sorry?error=LOST',
    ],
    ['answers other clients with the problem', 'nowhere', '*/*', 401, null],
  ])('%s', async (_, to, accept, status, location) => {
    const response = await lead(to, accept);
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  });

  it('is audited with its result, not with the redirect', async () => {
    await lead('/images');
    await lead('nowhere');
    expect(events.map(({ outcome, status, detail }) => [outcome, status, detail.code])).toEqual([
      ['success', 302, undefined],
      ['denied', 401, 'LOST'],
    ]);
  });
});
