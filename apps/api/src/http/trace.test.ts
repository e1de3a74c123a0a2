import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, parseEnv, TRACING_ENV, tracing } from '@portcullis/runtime';
import { type ReceivedSpan, startCollector } from '@portcullis/testing';
import express, { type Express } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { requestId } from './client/request-id.ts';
import { traceRequests } from './trace.ts';

const log = createLogger({ name: 'test', destination: { write: () => {} } });

/** The spans of these requests, and what was exported as a whole. */
async function traced(
  paths: string[],
  headers: Record<string, string> = {},
): Promise<{ spans: ReceivedSpan[]; exported: string }> {
  await using collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const settings = parseEnv(z.object(TRACING_ENV), env);
  const part = tracing({ settings, process: 'api', instance: 'i', version: 'v', log });
  await part.start?.();
  const url = await serve();
  for (const path of paths) await (await fetch(`${url}${path}`, { headers })).text();
  await part.stop?.();
  return {
    spans: collector.exports.length > 0 ? collector.spans() : [],
    exported: collector.exports.map(({ body }) => body).join(),
  };
}

async function serve(): Promise<string> {
  const server = createServer(app()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function app(): Express {
  const made = express();
  made.use(
    requestId(log, () => 0),
    traceRequests,
  );
  made.get('/api/things/:id', (_, response) => {
    response.locals.operation = '/things/{id}';
    response.status(500).end();
  });
  made.use((_, response) => void response.json({}));
  return made;
}

it.each([
  ['/api/things/secret-id?token=secret', 'GET /api/things/{id}'],
  ['/api/no/such/secret', 'GET /api'],
  ['/v2/', 'GET /v2'],
  ['/v2/token?scope=secret', 'GET /v2/token'],
  ['/v2/_catalog', 'GET /v2/_catalog'],
  ['/v2/secret/name/manifests/secret-tag', 'GET /v2/{name}/manifests'],
  ['/v2/secret/name/blobs/uploads/secret?_state=secret', 'GET /v2/{name}/blobs/uploads'],
])('%s is named by its route: %s', async (path, name) => {
  const { spans, exported } = await traced([path], { authorization: 'Bearer secret' });
  expect(spans).toMatchObject([{ name, kind: 2, attributes: { 'http.route': name.slice(4) } }]);
  expect(exported).not.toContain('secret');
});

it('probes, metrics and the files of the page have no span', async () => {
  const paths = ['/api/health', '/api/health/dependencies', '/api/ready', '/metrics', '/', '/v2x'];
  expect((await traced(paths)).spans).toEqual([]);
});

it('only a fault of the server is an error, and each request without a caller is a trace', async () => {
  const { spans } = await traced(['/api/things/1', '/api/none'], { 'x-request-id': 'ticket-4711' });
  expect(spans).toMatchObject([
    { isError: true, attributes: { 'http.response.status_code': 500 }, parentSpanId: '' },
    { isError: false, attributes: { 'portcullis.request.id': 'ticket-4711' }, parentSpanId: '' },
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
});
