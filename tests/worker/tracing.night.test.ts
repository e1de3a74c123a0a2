/** Traces from a push, of no collector, and of one that never answers. */
import { recent } from '@portcullis/events';
import { debianImage, pushImage, startCollector } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { bodyOf } from '../support/product.ts';
import {
  account,
  CALLER_SPAN,
  CALLER_TRACE,
  environment,
  pull,
  source,
  stagesIn,
  startTraced,
  worker,
} from './tracing.fixture.ts';

startTraced();

const PUSH_TRACE = 'd9b1c9a2f6e84a0f9b7c3e5a1d2f4b6c';

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
