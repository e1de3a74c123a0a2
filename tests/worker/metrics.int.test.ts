/** A worker's metrics, as Prometheus reads them from the running process. */
import { listeningOf, pushImage, randomImage, startRegistry } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { openHarness } from './harness.ts';

it('serves stages by outcome, bytes moved and reused, at METRICS_HOST and METRICS_PORT only', async () => {
  await using harness = await openHarness();
  await using source = await startRegistry();
  const worker = await harness.startWorker({ METRICS_HOST: '127.0.0.2', METRICS_PORT: '0' });
  const listening = await listeningOf(worker.pid);
  expect(listening).toEqual([expect.stringMatching(/^127\.0\.0\.2:\d+$/)]);
  const [address] = listening;
  const read = async (path = '/metrics') => fetch(`http://${address}${path}`);
  const value = async (series: string) => {
    const line = (await (await read()).text())
      .split('\n')
      .find((each) => each.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1));
  };

  const image = await randomImage({ bytes: 50_000 });
  const size = image.blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  await pushImage(source.url, 'team/app', '1', image);
  await pushImage(source.url, 'team/again', '1', image);
  const moved = async () => value('portcullis_job_bytes_total{stage="pull",how="moved"}');
  for (const name of ['team/app', 'team/again', 'team/none']) {
    const job = await harness.submit({ image: name, tag: '1', host: source.host });
    await harness.settled(job.id);
  }
  const ended = (outcome: string) =>
    value(`portcullis_job_stage_seconds_count{stage="pull",outcome="${outcome}"}`);
  await expect.poll(() => ended('failed')).toBe(1);
  expect(await ended('pulled')).toBe(2);
  expect(await value('portcullis_disk_free_bytes')).toBeGreaterThan(0);
  expect(await value('portcullis_disk_left_bytes{disk="data"}')).not.toBeNull();
  // This worker does not have the registry's storage.
  expect(await value('portcullis_disk_left_bytes{disk="registry"}')).toBeNull();
  expect(
    await value('portcullis_job_stage_seconds_sum{stage="pull",outcome="pulled"}'),
  ).toBeGreaterThan(0);
  expect(await moved()).toBeGreaterThanOrEqual(size);
  expect(await moved()).toBeLessThan(2 * size);
  expect(
    await value('portcullis_job_bytes_total{stage="pull",how="reused"}'),
  ).toBeGreaterThanOrEqual(size);

  expect((await read()).headers.get('content-type')).toContain('version=0.0.4');
  for (const elsewhere of ['/', '/metrics/x', '/api/system/processes'])
    expect((await read(elsewhere)).status).toBe(404);
});
