/** Alerts and dashboard use metrics that exist, and the alerts fire when they should. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createMetrics } from '@portcullis/runtime';
import { promtool, temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ALERTS = path.join(ROOT, 'deploy/prometheus/alerts.yaml');
const DASHBOARD = path.join(ROOT, 'deploy/grafana/portcullis.json');

/** Metrics of Kubernetes, not of ours. */
const FOREIGN = [
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'kube_cronjob_created',
  'kube_cronjob_status_last_successful_time',
  'kube_job_created',
  'kube_job_status_failed',
];

type Kind = 'counter' | 'gauge' | 'histogram' | 'total';

/** The metrics that our processes register, as their sources name them. */
async function declared(): Promise<{ kind: Kind; name: string }[]> {
  const found: { kind: Kind; name: string }[] = [];
  for (const part of ['apps/api', 'apps/worker', 'apps/notifier', 'packages/runtime']) {
    const sources = await readdir(path.join(ROOT, part, 'src'), {
      recursive: true,
      withFileTypes: true,
    });
    for (const { name, parentPath } of sources.filter(({ name }) =>
      /(?<!\.test)\.ts$/.test(name),
    )) {
      const text = await readFile(path.join(parentPath, name), 'utf8');
      for (const [, kind, metric = ''] of text.matchAll(
        /metrics\.(counter|gauge|histogram|total)\(\s*'(\w+)'/g,
      ))
        found.push({ kind: kind as Kind, name: metric });
    }
  }
  return found;
}

async function ownMetrics(): Promise<Set<string>> {
  const names = new Set(FOREIGN);
  for (const [, name = ''] of (await createMetrics().render()).matchAll(/^# TYPE (\S+)/gm))
    names.add(name);
  for (const { kind, name } of await declared())
    for (const suffix of kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
      names.add(`portcullis_${name}${suffix}`);
  return names;
}

it.each([
  ['alerts', ALERTS],
  ['dashboard', DASHBOARD],
])('%s use only metrics that exist', async (_, file) => {
  const metrics =
    (await readFile(file, 'utf8')).match(
      /\b(portcullis|process|nodejs|kubelet|kube)_[a-z0-9_]+\b/g,
    ) ?? [];
  expect(metrics.length).toBeGreaterThan(10);
  const known = await ownMetrics();
  expect(metrics.filter((name) => !known.has(name))).toEqual([]);
});

it('Prometheus accepts the rules', async () => {
  expect(await promtool(['check', 'rules', ALERTS])).toContain('SUCCESS: 23 rules found');
});

it('each alert has a runbook, which exists', async () => {
  const { repository } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const { groups } = parse(await readFile(ALERTS, 'utf8'));
  for (const { alert, annotations } of groups[0].rules) {
    const [page = '', heading] = String(annotations.runbook_url)
      .replace(`${repository.url}/blob/main/`, '')
      .split('#');
    const text = await readFile(path.join(ROOT, page), 'utf8');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings, alert).toContain(heading);
  }
});

const HOUR = '60';
const calm = `0x${HOUR}`;

it.each<[alert: string, bad: Record<string, string>]>([
  ['PortcullisDown', {}],
  ['PortcullisQueueOld', { 'portcullis_queue_oldest_seconds{queue="pull"}': `1000x${HOUR}` }],
  [
    'PortcullisQueueStuck',
    {
      'portcullis_queue_depth{queue="scan"}': `3x${HOUR}`,
      'portcullis_queue_running{queue="scan"}': calm,
      'portcullis_queue_oldest_seconds{queue="scan"}': `400x${HOUR}`,
    },
  ],
  [
    'PortcullisQueueIdle',
    {
      'portcullis_queue_depth{queue="scan"}': `3x${HOUR}`,
      'portcullis_queue_running{queue="scan"}': calm,
      'portcullis_queue_oldest_seconds{queue="scan"}': calm,
    },
  ],
  ['PortcullisDependencyDown', { 'portcullis_dependency_up{dependency="registry"}': calm }],
  ['PortcullisAuditLag', { 'portcullis_audit_lag_seconds{group="syslog"}': `700x${HOUR}` }],
  ['PortcullisAuditOutbox', { portcullis_audit_outbox_seconds: `700x${HOUR}` }],
  ['PortcullisDeliveryFailing', { 'portcullis_delivery_failing{collector="email"}': `1x${HOUR}` }],
  [
    'PortcullisDeliveriesRefused',
    { 'portcullis_deliveries_refused_total{collector="email"}': `0x30 2x${HOUR}` },
  ],
  ['PortcullisScannerDatabaseOld', { portcullis_scanner_database_age_seconds: `300000x${HOUR}` }],
  [
    'PortcullisJobsFail',
    {
      'portcullis_job_stage_seconds_count{stage="pull",outcome="pulled"}': `0+1x${HOUR}`,
      'portcullis_job_stage_seconds_count{stage="pull",outcome="failed"}': `0+1x${HOUR}`,
    },
  ],
  [
    'PortcullisMirrorSilent',
    {
      'portcullis_mirror_checks_total{registry="hub",outcome="failed"}': `0+1x${HOUR}`,
      'portcullis_mirror_checks_total{registry="quay",outcome="failed"}': `0+1x${HOUR}`,
      'portcullis_mirror_checks_total{registry="quay",outcome="gone"}': `0+1x${HOUR}`,
    },
  ],
  [
    'PortcullisMirrorHeldLong',
    {
      'portcullis_mirror_pulls_total{registry="hub",outcome="pending"}': `0+2x${HOUR}`,
      'portcullis_mirror_pulls_total{registry="hub",outcome="served"}': `0+1x${HOUR}`,
    },
  ],
  ['PortcullisErrors', { 'portcullis_http_requests_total{status="503"}': `0+30x${HOUR}` }],
  [
    'PortcullisClusterSilent',
    {
      'portcullis_cluster_report_age_seconds{cluster="eu"}': `1000x${HOUR}`,
      'portcullis_cluster_report_age_seconds{cluster="us"}': `200x${HOUR}`,
    },
  ],
  ['PortcullisFeedStale', { 'portcullis_threat_feed_age_seconds{feed="kev"}': `700000x${HOUR}` }],
  [
    'PortcullisDiskReserve',
    {
      'portcullis_disk_free_bytes{instance="a"}': `9x${HOUR}`,
      'portcullis_disk_reserve_bytes{instance="a"}': `5x${HOUR}`,
      'portcullis_disk_free_bytes{instance="b"}': `5x${HOUR}`,
      'portcullis_disk_reserve_bytes{instance="b"}': `9x${HOUR}`,
    },
  ],
  [
    'PortcullisJobsWaitForDisk',
    { 'portcullis_jobs_waiting{reason="disk"}': Array(20).fill('0 0 27').join(' ') },
  ],
  [
    'PortcullisBackupFailed',
    {
      'kube_job_status_failed{job_name="portcullis-backup-1"}': `1x${HOUR}`,
      'kube_job_created{job_name="portcullis-backup-1"}': calm,
    },
  ],
  [
    'PortcullisBackupOld',
    {
      'kube_cronjob_status_last_successful_time{cronjob="portcullis-backup"}': `-200000x${HOUR}`,
      'kube_cronjob_created{cronjob="portcullis-backup"}': `-900000x${HOUR}`,
    },
  ],
  [
    'PortcullisBackupOld',
    { 'kube_cronjob_created{cronjob="portcullis-backup"}': `-200000x${HOUR}` },
  ],
  [
    'PortcullisDiskFull',
    {
      'kubelet_volume_stats_available_bytes{persistentvolumeclaim="portcullis-data"}': `5x${HOUR}`,
      'kubelet_volume_stats_capacity_bytes{persistentvolumeclaim="portcullis-data"}': `100x${HOUR}`,
    },
  ],
])('%s fires for its condition only', async (alert, bad) => {
  await using dir = await temporaryDir();
  const file = path.join(dir.path, 'tests.yaml');
  const alive: Record<string, string> =
    alert === 'PortcullisDown' ? {} : { 'portcullis_queue_depth{queue="push"}': calm };
  const names = [...(await readFile(ALERTS, 'utf8')).matchAll(/alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const series = Object.entries({ ...alive, ...bad });
  const tests = {
    rule_files: [ALERTS],
    tests: [
      {
        interval: '1m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: names.map((name) => ({
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`,
          eval_time: '50m',
          exp_samples: name === alert ? [{ labels: '{}', value: 1 }] : [],
        })),
      },
    ],
  };
  await writeFile(file, stringify(tests));
  expect(await promtool(['test', 'rules', file])).toContain('SUCCESS');
});

it('Prometheus accepts the names of all metrics', async () => {
  const metrics = createMetrics();
  const read = async () => [{ labels: {}, value: 1 }];
  const all = await declared();
  expect(all.length).toBeGreaterThan(30);
  for (const { kind, name } of all)
    if (kind === 'counter') metrics.counter(name, name, []).add({});
    else if (kind === 'histogram') metrics.histogram(name, name, { labels: [], buckets: [1] });
    else metrics[kind](name, name, { labels: [], read });
  expect(await promtool(['check', 'metrics'], await metrics.render())).toBe('');
});
