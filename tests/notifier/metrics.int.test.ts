/** A notifier's metrics, as Prometheus reads them from the running process. */
import { listeningOf, startSmtp } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { openHarness } from './harness.ts';

it('serves deliveries by collector at METRICS_HOST and METRICS_PORT only', async () => {
  await using harness = await openHarness();
  let answer: number | null = null;
  await using server = await startSmtp({ refusesMessage: () => answer });
  await harness.set('email', {
    enabled: true,
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    from_address: 'gate@example.com',
    to_addresses: ['ops@example.com'],
    notify_login: true,
  });
  const { pid = 0 } = await harness.start({ METRICS_HOST: '127.0.0.2', METRICS_PORT: '0' });
  const listening = await listeningOf(pid);
  expect(listening).toEqual([expect.stringMatching(/^127\.0\.0\.2:\d+$/)]);
  const series = async () => {
    const text = await (await fetch(`http://${listening[0]}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/^portcullis_(\w+)\{collector="email"\} (\S+)$/gm)].map(
        ([, name, value]) => [name, Number(value)],
      ),
    );
  };

  await harness.publish('auth.login');
  await expect
    .poll(series)
    .toEqual({ deliveries_total: 1, deliveries_refused_total: 0, delivery_failing: 0 });
  answer = 554;
  await harness.publish('auth.login');
  await expect
    .poll(series)
    .toEqual({ deliveries_total: 1, deliveries_refused_total: 1, delivery_failing: 0 });
  answer = 451;
  await harness.publish('auth.login');
  await expect
    .poll(series)
    .toEqual({ deliveries_total: 1, deliveries_refused_total: 1, delivery_failing: 1 });
});
