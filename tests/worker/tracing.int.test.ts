/** One request followed from the api through the queue to Trivy and a registry. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recent } from '@portcullis/events';
import { type ReceivedSpan, startCollector, temporaryDir } from '@portcullis/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  account,
  CALLER_SPAN,
  CALLER_TRACE,
  environment,
  pull,
  seenByTrivy,
  source,
  stagesIn,
  startTraced,
  upstream,
  worker,
} from './tracing.fixture.ts';

startTraced();

const REQUEST_ID = 'ticket-4711-of-ada';

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
    // The pull starts it, or the scan where the scanner was not ready by then.
    expect(['pull', 'scan']).toContain(above(named('trivy image')));

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
