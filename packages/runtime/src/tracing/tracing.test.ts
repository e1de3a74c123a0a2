import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as tick } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { startCollector, type TestCollector } from '@portcullis/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { parseEnv } from '../env.ts';
import { tracing } from './open-tracing.ts';
import { traceOutgoing } from './outgoing.ts';
import { reporting } from './reporting-exporter.ts';
import { endpointOf, TRACING_ENV } from './settings.ts';
import { continuingTrace, startSpan, traced, traceFields, traceparentNow } from './traced.ts';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const CALLER_TRACE = '0af7651916cd43dd8448eb211c80319c';

const settingsOf = (env: Record<string, string>) => parseEnv(z.object(TRACING_ENV), env);

async function collector(options: Parameters<typeof startCollector>[0] = {}) {
  const started = await startCollector(options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** Traced until `stop`, which the test calls. */
async function open(env: Record<string, string>) {
  const log = { info: vi.fn(), warn: vi.fn() };
  const settings = settingsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...env });
  const part = tracing({ settings, process: 'worker', instance: 'w-1', version: '1.2.3', log });
  await part.start?.();
  onTestFinished(() => part.stop?.());
  return { log, stop: async () => part.stop?.() };
}

const to = ({ url }: TestCollector) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url });

describe('settings', () => {
  it.each([
    ['nothing', {}, null],
    ['a base', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, 'http://c:4318/v1/traces'],
    [
      'one for traces, which is taken as it is',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/otlp',
      },
      'https://t/otlp',
    ],
    [
      'a base, disabled',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' },
      null,
    ],
  ])('%s is the endpoint %#', (_, env, expected) => {
    expect(endpointOf(settingsOf(env as Record<string, string>))).toBe(expected);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a secret without a name'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('%s is refused where it is %s, without its value', (name, value) => {
    expect(() => settingsOf({ [name]: value })).toThrow(name);
    expect(() => settingsOf({ [name]: value })).not.toThrow(value);
  });
});

describe('while tracing is off', () => {
  it('work runs without a span, and a header of a caller is not continued', async () => {
    const { log } = await open({});
    expect(startSpan({ name: 'a', kind: 'server' })).toBeNull();
    await continuingTrace(CALLER, () =>
      traced({ name: 'a', kind: 'internal' }, async (span) => {
        expect(span).toBeNull();
        expect(traceparentNow()).toBeNull();
        expect(traceFields()).toEqual({});
        expect(traceOutgoing({ method: 'GET', hostname: 'r', port: '', pathname: '/' })).toBeNull();
      }),
    );
    expect(log.info).not.toHaveBeenCalled();
  });

  it.each([
    ['off', {}, false],
    ['on', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
  ])('%s: the SDK is loaded only where it is on', async (_, env, expected) => {
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve(name, context, next) {
        const found = next(name, context);
        loaded.push(found.url);
        return found;
      } });
      const { parseEnv, tracing, TRACING_ENV } = await import('${path.resolve(import.meta.dirname, '../index.ts')}');
      const { z } = await import('zod');
      const settings = parseEnv(z.object(TRACING_ENV), process.env);
      const log = { info() {}, warn() {} };
      await tracing({ settings, process: 'p', instance: 'i', version: 'v', log }).start();
      // prom-client has the package @opentelemetry/api, which is types and a few constants.
      console.log(loaded.some((url) => url.includes('/@opentelemetry/sdk-trace/')));
      process.exit();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output.trim()).toBe(String(expected));
  });
});

describe('while tracing is on', () => {
  it('spans are exported with their parents, below the span of the caller', async () => {
    const there = await collector();
    const { stop } = await open({
      ...to(there),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b,authorization=Bearer%20key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await continuingTrace(CALLER, () =>
      traced({ name: 'outer', kind: 'consumer', attributes: { n: 1, none: null } }, async () => {
        expect(traceFields()).toEqual({ trace_id: CALLER_TRACE });
        const request = { method: 'GET', hostname: 'r.example', port: '5000' };
        const sent = traceOutgoing({ ...request, pathname: '/v2/team/secret/blobs/sha256:1' });
        expect(sent?.headers.traceparent).toMatch(
          new RegExp(`^00-${CALLER_TRACE}-[0-9a-f]{16}-01$`),
        );
        sent?.ended({ status: 200 });
      }),
    );
    await stop();
    const [client, outer] = there.spans();
    expect(outer).toMatchObject({
      traceId: CALLER_TRACE,
      parentSpanId: 'b7ad6b7169203331',
      ...{ name: 'outer', kind: 5, isError: false, attributes: { n: 1 } },
      service: 'portcullis-worker',
    });
    expect(client).toMatchObject({ name: 'GET /v2/{name}/blobs', kind: 3, traceId: CALLER_TRACE });
    expect(client?.parentSpanId).toBe(outer?.spanId);
    expect(client?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'r.example',
      'server.port': 5000,
      'url.template': '/v2/{name}/blobs',
    });
    expect(there.exports[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-tenant': 'a b', authorization: 'Bearer key' },
    });
    expect(there.exports[0]?.body).not.toContain('secret');
  });

  it('a failure is marked by its code, never by its message', async () => {
    const there = await collector();
    const { stop } = await open(to(there));
    const fails = traced({ name: 'a', kind: 'internal' }, () =>
      Promise.reject(new RangeError('the password is hunter2')),
    );
    await expect(fails).rejects.toThrow('hunter2');
    await stop();
    expect(there.spans()).toMatchObject([
      { isError: true, attributes: { 'error.type': 'RangeError' } },
    ]);
    expect(there.exports[0]?.body).not.toContain('hunter2');
  });

  it.each([
    ['is sampled by the caller', 'parentbased_always_off', '01', 1],
    ['is not sampled by the caller', 'parentbased_always_on', '00', 0],
    ['is sampled whatever the caller says', 'always_on', '00', 1],
  ])('what %s', async (_, sampler, flags, expected) => {
    const there = await collector();
    const { stop } = await open({ ...to(there), OTEL_TRACES_SAMPLER: sampler });
    const header = `${CALLER.slice(0, -2)}${flags}`;
    await continuingTrace(header, () =>
      traced({ name: 'a', kind: 'server' }, async (span) =>
        expect(span?.traceId).toBe(CALLER_TRACE),
      ),
    );
    await stop();
    expect(there.exports.flatMap(() => there.spans())).toHaveLength(expected);
  });

  it.each(['', 'nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `${CALLER}-more`])(
    'a new trace begins where the header of the caller is %j',
    async (header) => {
      const there = await collector();
      const { stop } = await open(to(there));
      await continuingTrace(header, () => traced({ name: 'a', kind: 'server' }, async () => {}));
      await stop();
      expect(there.spans()).toMatchObject([{ parentSpanId: '' }]);
    },
  );

  it('protobuf is what a collector gets by default', async () => {
    const there = await collector();
    const { stop } = await open({ ...to(there), OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' });
    await traced({ name: 'a', kind: 'internal' }, async () => {});
    await stop();
    expect(there.exports).toMatchObject([
      { headers: { 'content-type': 'application/x-protobuf' } },
    ]);
    expect(settingsOf({}).OTEL_EXPORTER_OTLP_PROTOCOL).toBe('http/protobuf');
  });
});

describe('a collector that does not work', () => {
  it('that refuses fails no work, and is one warning with the reason', async () => {
    const there = await collector({ answer: 400 });
    const { log, stop } = await open(to(there));
    const span = () => traced({ name: 'a', kind: 'internal' }, async () => {});
    // Several exports, and more spans than may wait: further ones are dropped.
    for (let n = 0; n < 5_000; n += 1) await span();
    await expect.poll(() => there.exports.length).toBeGreaterThan(1);
    await stop();
    const { host } = new URL(there.url);
    expect(log.warn.mock.calls).toEqual([
      [{ collector: host, reason: 'HTTP 400', failures: 1 }, 'traces could not be exported'],
    ]);
  });

  it('that is down is reported by the code of the system', async () => {
    const failed = vi.fn();
    // No time for a second try.
    const down = new OTLPTraceExporter({ url: 'http://127.0.0.1:9/v1/traces', timeoutMillis: 900 });
    const exporter = reporting(down, failed);
    const provider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    });
    provider.getTracer('t').startSpan('a').end();
    await provider.forceFlush();
    expect(failed.mock.calls).toEqual([['ECONNREFUSED']]);
  });

  it('that never answers holds up the end of the process for two seconds at most', async () => {
    const there = await collector({ answer: 'silent' });
    const { stop } = await open(to(there));
    // Not before, because the SDK is loaded by then.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await traced({ name: 'a', kind: 'internal' }, async () => {});
    const ended = vi.fn();
    void stop().then(ended);
    while (there.exports.length === 0) await tick();
    await vi.advanceTimersByTimeAsync(1_999);
    await tick();
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await tick();
    expect(ended).toHaveBeenCalled();
  });
});
