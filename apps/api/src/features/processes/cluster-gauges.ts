/** Gauges of the clusters whose agents report what runs. */
import type { Metrics } from '@portcullis/runtime';
import type { ProcessPorts } from './service.ts';

export function measureClusters(
  metrics: Metrics,
  { clusterReports, now }: Pick<ProcessPorts, 'clusterReports' | 'now'>,
): void {
  metrics.gauge('cluster_report_age_seconds', 'Since the agent of a cluster reported last', {
    labels: ['cluster'],
    async read() {
      const reports = await clusterReports();
      return reports.map(({ name, reportedAt }) => ({
        labels: { cluster: name },
        value: (now() - reportedAt.getTime()) / 1000,
      }));
    },
  });
}
