import { expect, it } from 'vitest';
import { createMetrics, measureBuild, metricsServer } from './index.ts';

const metrics = () => createMetrics({ defaults: false });
const log = { info: () => {} };

it('counters and histograms have labels', async () => {
  const all = metrics();
  const requests = all.counter('requests_total', 'Requests', ['status']);
  requests.add({ status: 200 });
  requests.add({ status: 200 }, 2);
  const seconds = all.histogram('job_seconds', 'Jobs', { labels: ['stage'], buckets: [1, 10] });
  seconds.observe({ stage: 'pull' }, 3);
  const text = await all.render();
  expect(text).toContain('portcullis_requests_total{status="200"} 3');
  expect(text).toContain('portcullis_job_seconds_bucket{le="10",stage="pull"} 1');
  expect(text).toContain('portcullis_job_seconds_bucket{le="1",stage="pull"} 0');
});

it('a gauge is read at each request, drops removed labels, and is omitted when its value is unknown', async () => {
  const all = metrics();
  let answer = async () => [{ labels: { queue: 'pull' }, value: 4 }];
  all.gauge('queue_depth', 'Depth', { labels: ['queue'], read: () => answer() });
  expect(await all.render()).toContain('portcullis_queue_depth{queue="pull"} 4');
  answer = async () => [{ labels: { queue: 'scan' }, value: 1 }];
  expect(await all.render()).not.toContain('queue="pull"');
  answer = async () => {
    throw new Error('redis is away');
  };
  expect(await all.render()).not.toContain('queue="scan"');
});

it('the process reports its own metrics', async () => {
  expect(await createMetrics().render()).toContain('process_resident_memory_bytes');
});

it('a separate port serves metrics and nothing else; without a port there is none', async () => {
  const all = metrics();
  all.counter('x_total', 'x', []).add({});
  const server = metricsServer({ metrics: all, port: 0, host: '127.0.0.1', log });
  await server.start?.();
  const url = `http://127.0.0.1:${server.port()}`;
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toContain('portcullis_x_total 1');
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  await server.stop?.();
  await expect(fetch(url)).rejects.toThrow();

  const none = metricsServer({ metrics: all, port: null, host: '127.0.0.1', log });
  await none.start?.();
  expect(none.port()).toBeNull();
  await none.stop?.();
});

it('a total is read at each request too, and is a counter', async () => {
  const all = metrics();
  let delivered = 2;
  all.total('deliveries_total', 'Deliveries', {
    labels: ['collector'],
    read: async () => [{ labels: { collector: 'email' }, value: delivered }],
  });
  expect(await all.render()).toContain('portcullis_deliveries_total{collector="email"} 2');
  delivered = 3;
  const text = await all.render();
  expect(text).toContain('# TYPE portcullis_deliveries_total counter');
  expect(text).toContain('portcullis_deliveries_total{collector="email"} 3');
});

it('the build is a label, an unknown commit an empty one', async () => {
  const all = metrics();
  measureBuild(all, { process: 'api', version: '1.2.3' });
  expect(await all.render()).toContain(
    'portcullis_build_info{process="api",version="1.2.3",commit=""} 1',
  );
});

it('no gauge is named like a counter', async () => {
  const text = await createMetrics().render();
  const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
  expect(gauges.length).toBeGreaterThan(10);
  expect(gauges.filter((name) => name?.endsWith('_total'))).toEqual([]);
});
