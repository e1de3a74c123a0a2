/** One request followed from the api through the queue to Trivy and a registry. */

import { randomUUID } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recent } from '@portcullis/events';
import {
  debianImage,
  pushImage,
  type ReceivedSpan,
  serveVulnerabilityDb,
  startCollector,
  startRegistry,
  type TestRegistry,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ApiEnvironment, openApiEnvironment } from '../../apps/api/src/api-process.fixture.ts';
import { bodyOf } from '../support/product.ts';
import { provideTrivy, startWorkerProcess } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

const CALLER_TRACE = '0af7651916cd43dd8448eb211c80319c';
const PUSH_TRACE = 'd9b1c9a2f6e84a0f9b7c3e5a1d2f4b6c';
const CALLER_SPAN = 'b7ad6b7169203331';
const REQUEST_ID = 'ticket-4711-of-ada';

let environment: ApiEnvironment;
let upstream: TestRegistry;
let source: FaultyRegistry;
let database: string;
/** What each run of Trivy had in its environment as TRACEPARENT. */
let seenByTrivy: string;

beforeAll(async () => {
  [environment, upstream] = await Promise.all([
    openApiEnvironment(),
    startRegistry({ auth: 'basic' }),
  ]);
  database = await serveVulnerabilityDb(environment.registry.url);
  source = await startProxy(upstream.url);
  await pushImage(upstream.url, 'acme/tool', '1', await debianImage(), upstream);
  const dir = environment.env.DATA_DIR ?? '';
  seenByTrivy = path.join(dir, 'seen-by-trivy');
  const program = path.join(dir, 'recording-trivy');
  await writeFile(
    program,
    `#!/bin/sh\necho "[$TRACEPARENT]" >> '${seenByTrivy}'\nexec '${await testTrivy()}' "$@"\n`,
  );
  await chmod(program, 0o755);
  await provideTrivy({ dataDir: dir }, '0', program);
});
afterAll(async () => {
  await source?.[Symbol.asyncDispose]();
  await upstream?.stop();
  await environment?.[Symbol.asyncDispose]();
});

async function worker(env: Record<string, string> = {}) {
  const started = await startWorkerProcess({
    ...environment.env,
    ...{ TRIVY_DB_REPOSITORY: database, TRIVY_RESCAN_ENABLED: 'false' },
    ...{ EPSS_URL: 'off', KEV_URL: 'off', SWEEP_SECONDS: '1', WORKER_GRACE_SECONDS: '0' },
    ...env,
  });
  onTestFinished(() => started.kill('SIGKILL'));
  return started;
}

async function account(url: string) {
  const headers = await environment.session(`ada-${randomUUID()}`, {
    isAdmin: true,
  });
  const call = async (method: string, to: string, body?: object, more = {}) => {
    const answer = await fetch(`${url}/api${to}`, {
      method,
      headers: { ...headers, ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  return { call, authorization: headers.authorization ?? '' };
}

async function pull(call: Awaited<ReturnType<typeof account>>['call'], headers = {}) {
  const order = {
    ...{ image: 'acme/tool', tag: '1' },
    ...{ source_registry_host: source.host, source_registry_use_tls: false },
    source_registry_username: upstream.credentials?.username,
    source_registry_password: upstream.credentials?.password,
  };
  const asked = await call('POST', '/staging/pull', order, headers);
  expect(asked).toMatchObject({ status: 202 });
  const id: string = asked.body.job_id;
  const read = () => bodyOf(call('GET', `/staging/jobs/${id}`));
  await expect.poll(async () => (await read()).status).toBe('staged');
  return read();
}

const stagesIn = (lines: string[]) =>
  lines.filter((line) => line.includes('a stage ended')).map((line) => JSON.parse(line));

describe('with a collector of a private authority', () => {
  it('one trace leads from the caller to Trivy and the registry, and has no secret', async () => {
    const dir = await temporaryDir();
    onTestFinished(() => dir[Symbol.asyncDispose]());
    const collector = await startCollector({ tls: true });
    onTestFinished(() => collector[Symbol.asyncDispose]());
    const authority = path.join(dir.path, 'ca.pem');
    await writeFile(authority, collector.ca);
    const headersFile = path.join(dir.path, 'headers');
    await writeFile(headersFile, 'x-tenant=registry\n');
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: headersFile,
      NODE_EXTRA_CA_CERTS: authority,
    };
    const [api, working] = await Promise.all([environment.start(traced), worker(traced)]);
    const { call, authorization } = await account(api.url);
    const before = source.seen.length;
    const job = await pull(call, {
      traceparent: `00-${CALLER_TRACE}-${CALLER_SPAN}-01`,
      'x-request-id': REQUEST_ID,
    });
    const spans = () => collector.spans().filter(({ traceId }) => traceId === CALLER_TRACE);
    const named = (name: string) => spans().find((span) => span.name === name);
    await expect
      .poll(() => new Set(spans().map(({ name }) => name)))
      .toEqual(
        new Set([
          'POST /api/staging/pull',
          ...['send pull', 'pull', 'send scan', 'scan'],
          ...['GET', 'HEAD /v2/{name}/manifests', 'GET /v2/{name}/manifests'],
          ...['GET /v2/{name}/blobs', 'GET /v2/{name}/referrers', 'trivy image'],
        ]),
      );

    const above = (span: ReceivedSpan | undefined) =>
      spans().find(({ spanId }) => spanId === span?.parentSpanId)?.name;
    expect(named('POST /api/staging/pull')).toMatchObject({
      parentSpanId: CALLER_SPAN,
      ...{ service: 'portcullis-api', kind: 2 },
      attributes: { 'http.response.status_code': 202, 'portcullis.request.id': REQUEST_ID },
    });
    expect(above(named('send pull'))).toBe('POST /api/staging/pull');
    expect(named('pull')).toMatchObject({ service: 'portcullis-worker', kind: 5 });
    expect(above(named('pull'))).toBe('send pull');
    expect(above(named('GET /v2/{name}/blobs'))).toBe('pull');
    expect(above(named('send scan'))).toBe('pull');
    expect(above(named('scan'))).toBe('send scan');
    expect(above(named('trivy image'))).toBe('scan');

    const sent = source.seen.slice(before).map(({ traceparent }) => traceparent);
    expect(sent.every((header) => header?.startsWith(`00-${CALLER_TRACE}-`))).toBe(true);
    const trivy = named('trivy image')?.spanId;
    expect(await readFile(seenByTrivy, 'utf8')).toContain(`[00-${CALLER_TRACE}-${trivy}-01]`);

    expect(stagesIn(working.lines)).toMatchObject([
      { stage: 'pull', request_id: REQUEST_ID, trace_id: CALLER_TRACE },
      { stage: 'scan', request_id: REQUEST_ID, trace_id: CALLER_TRACE },
    ]);
    expect(job.request_id).toBe(REQUEST_ID);
    const events = async () =>
      (await recent(environment.redis, 100))
        .filter(({ resource }) => resource?.id === job.job_id)
        .map(({ event, request_id }) => [event, request_id])
        .sort();
    await expect.poll(events).toEqual([
      ['staging.pull', REQUEST_ID],
      ['staging.pulled', REQUEST_ID],
      ['staging.scanned', REQUEST_ID],
    ]);

    const exported = JSON.stringify(collector.exports.map(({ body }) => body));
    const { username = '', password = '' } = upstream.credentials ?? {};
    const secrets = [
      password,
      Buffer.from(`${username}:${password}`).toString('base64'),
      authorization.replace('Bearer ', ''),
      environment.env.SECRET_KEY ?? '',
      'x-tenant',
    ];
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
    expect(exported).not.toMatch(/\?[a-z_]+=/);
    expect(collector.exports.every(({ headers }) => headers['x-tenant'] === 'registry')).toBe(true);
    expect(api.output()).toContain(`"trace_id":"${CALLER_TRACE}"`);
  });
});

it('the first scan of a pushed image continues the trace of its push', async () => {
  const collector = await startCollector();
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // A sweep between the push and its request for the scan begins the scan without a trace.
    SWEEP_SECONDS: '3600',
  };
  const [api] = await Promise.all([environment.start(traced), worker(traced)]);
  const { call } = await account(api.url);
  const made = await call('POST', '/auth/tokens', { name: 'push', scope: 'docker' });
  const self = await bodyOf(call('GET', '/auth/me'));
  expect(await call('POST', '/folders', { name: 'traced' })).toMatchObject({ status: 201 });
  // Another image than that of the jobs, whose report is kept: this one has a first scan.
  const image = await debianImage({ packages: [{ name: 'tzdata', version: '2026a-1' }] });
  await pushImage(api.url, 'traced/tool', '1', image, {
    credentials: { username: self.username, password: made.body.token },
    headers: { traceparent: `00-${PUSH_TRACE}-${CALLER_SPAN}-01` },
  });
  const spans = () => collector.spans().filter(({ traceId }) => traceId === PUSH_TRACE);
  const above = (name: string) => {
    const parent = spans().find((span) => span.name === name)?.parentSpanId;
    return spans().find(({ spanId }) => spanId === parent)?.name;
  };
  const chain = () => ['trivy image', 'image-scan', 'send image-scan'].map(above);
  await expect.poll(chain).toEqual(['image-scan', 'send image-scan', 'PUT /v2/{name}/manifests']);
});

it('is off by default: nothing has a trace, and the request id is followed', async () => {
  const [api, working] = await Promise.all([
    environment.start(),
    worker({ TRIVY_ENABLED: 'false' }),
  ]);
  const { call } = await account(api.url);
  const before = source.seen.length;
  const job = await pull(call, { traceparent: `00-${CALLER_TRACE}-${CALLER_SPAN}-01` });
  expect(source.seen.slice(before).filter(({ traceparent }) => traceparent !== null)).toEqual([]);
  expect(job.request_id).toEqual(expect.any(String));
  const push = { job_id: job.job_id, target_image: 'gate/tool', target_tag: '1' };
  const asked = await call('POST', '/staging/push', push, { 'x-request-id': 'ticket-push-4712' });
  expect(asked).toMatchObject({ status: 202, body: { request_id: 'ticket-push-4712' } });
  await expect
    .poll(() => stagesIn(working.lines).map(({ stage, request_id }) => [stage, request_id]))
    .toEqual([
      ['pull', job.request_id],
      ['scan', job.request_id],
      ['push', 'ticket-push-4712'],
    ]);
  const pushed = async () =>
    (await recent(environment.redis, 100)).find(({ event }) => event === 'staging.pushed');
  await expect.poll(pushed).toMatchObject({
    resource: { id: job.job_id },
    outcome: 'success',
    request_id: 'ticket-push-4712',
  });
  const [line] = stagesIn(working.lines);
  expect(line).not.toHaveProperty('trace_id');
  expect(api.output()).not.toContain('trace_id');
});

it('a collector that never answers fails no job, and no stop of the processes', async () => {
  const collector = await startCollector({ answer: 'silent' });
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const [api, working] = await Promise.all([
    environment.start(traced),
    worker({ ...traced, TRIVY_ENABLED: 'false' }),
  ]);
  const { call } = await account(api.url);
  await pull(call);
  await expect.poll(() => collector.exports.length).toBeGreaterThan(0);
  await Promise.all([api.kill('SIGTERM'), working.kill('SIGTERM')]);
  expect(working.lines.filter((line) => line.includes('not everything stopped'))).toEqual([]);
  expect(api.output()).not.toContain('not everything stopped');
});
