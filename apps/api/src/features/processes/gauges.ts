/** Gauges of the whole installation; every api exports them to Prometheus. */
import { WAIT_REASONS } from '@portcullis/domain';
import type { GroupLag } from '@portcullis/events';
import type { QueueDepth } from '@portcullis/queue';
import type { Metrics } from '@portcullis/runtime';
import type { DependencyStates } from '../system/service.ts';
import { measureClusters } from './cluster-gauges.ts';
import { waitingFor } from './queue-waits.ts';
import type { ProcessPorts } from './service.ts';
import { measureStandings } from './standing-gauges.ts';
import { measureStatements } from './statement-gauges.ts';

export function measureInstallation(metrics: Metrics, ports: ProcessPorts): void {
  const queues = (value: (depth: QueueDepth) => number) => async () =>
    (await ports.depths()).map((depth) => ({
      labels: { queue: depth.queue },
      value: value(depth),
    }));
  const lags = (value: (lag: GroupLag) => number | null) => async () =>
    (await ports.lags(ports.auditGroups())).flatMap((lag) => {
      const known = value(lag);
      return known === null ? [] : [{ labels: { group: lag.group }, value: known }];
    });
  const byQueue = ['queue'] as const;
  const byGroup = ['group'] as const;

  metrics.gauge('queue_depth', 'Entries that wait', {
    labels: byQueue,
    read: queues(({ waiting, delayed }) => waiting + delayed),
  });
  metrics.gauge('queue_running', 'Entries that run', {
    labels: byQueue,
    read: queues(({ running }) => running),
  });
  metrics.gauge('queue_oldest_seconds', 'How long the oldest entry has waited, put off or not', {
    labels: byQueue,
    read: queues(({ oldestAgeMs }) => (oldestAgeMs ?? 0) / 1000),
  });
  metrics.gauge('jobs_waiting', 'Jobs that were put off, by what they wait for', {
    labels: ['reason'],
    read: async () => {
      const waiting = waitingFor(await ports.waits());
      return WAIT_REASONS.map((reason) => ({ labels: { reason }, value: waiting[reason].count }));
    },
  });
  metrics.gauge('audit_lag_events', 'Audit events that a group has not acknowledged', {
    labels: byGroup,
    read: lags(({ waiting }) => waiting),
  });
  metrics.gauge(
    'audit_lag_seconds',
    'Age of the first audit event that a group has not acknowledged',
    {
      labels: byGroup,
      read: lags(({ oldestAgeMs }) => (oldestAgeMs ?? 0) / 1000),
    },
  );
  metrics.gauge('audit_outbox_events', 'Audit events in the database that wait to be published', {
    labels: [],
    read: async () => [{ labels: {}, value: (await ports.outbox()).count }],
  });
  metrics.gauge('audit_outbox_seconds', 'Age of the first audit event that waits to be published', {
    labels: [],
    read: async () => [{ labels: {}, value: ((await ports.outbox()).oldestAgeMs ?? 0) / 1000 }],
  });
  metrics.gauge(
    'image_rescans',
    'Tagged images, by whether they were scanned with the present database',
    {
      labels: ['state'],
      read: async () => {
        const progress = await ports.rescans();
        if (!progress) return [];
        return (['done', 'left', 'failed'] as const).map((state) => ({
          labels: { state },
          value: progress[state],
        }));
      },
    },
  );
  metrics.gauge(
    'image_rematches',
    'Tagged images in the newest re-match, by what it did with them',
    {
      labels: ['state'],
      read: async () => {
        const progress = await ports.rematch();
        if (!progress) return [];
        return (['matched', 'changed', 'skipped', 'failed'] as const).map((state) => ({
          labels: { state },
          value: progress[state],
        }));
      },
    },
  );
  metrics.gauge('image_rematch_seconds', 'How long the newest re-match has worked', {
    labels: [],
    read: async () => {
      const progress = await ports.rematch();
      return progress ? [{ labels: {}, value: progress.workedMs / 1000 }] : [];
    },
  });
  measureStandings(metrics, ports);
  measureStatements(metrics, ports);
  measureClusters(metrics, ports);
  metrics.gauge('scanner_database_age_seconds', "Age of the scanner's vulnerability database", {
    labels: [],
    read: async () => {
      const updated = (await ports.scanner()).db?.updatedAt ?? null;
      return updated === null
        ? []
        : [{ labels: {}, value: (ports.now() - Date.parse(updated)) / 1000 }];
    },
  });
}

export function measureDependencies(
  metrics: Metrics,
  dependencies: () => Promise<DependencyStates>,
): void {
  metrics.gauge('dependency_up', '1 while the dependency serves this process, 0 while it is away', {
    labels: ['dependency'],
    read: async () =>
      Object.entries(await dependencies()).map(([dependency, { ok }]) => ({
        labels: { dependency },
        value: ok ? 1 : 0,
      })),
  });
}
