/** Routes of the scanner, the dashboard, garbage collection and orphans. */
import { listGroups } from '@portcullis/events';
import { isHealthy } from '@portcullis/local-registry';
import type { DueMaintenance } from '@portcullis/queue';
import { listHeartbeats, withRedis } from '@portcullis/runtime';
import { dashboardRoutes } from '../features/dashboard/routes.ts';
import { createDashboardService } from '../features/dashboard/service.ts';
import { createRepositories } from '../features/images/repositories.ts';
import { listFeeds, measureFeeds } from '../features/system/feeds.ts';
import { createGarbageService } from '../features/system/garbage.ts';
import { maintenanceRoutes } from '../features/system/maintenance-routes.ts';
import { createOrphans } from '../features/system/orphans.ts';
import { probe } from '../features/system/probe.ts';
import { createDispatcher } from '../features/transfers/dispatcher.ts';
import { trivyRoutes } from '../features/trivy/routes.ts';
import { createScansService } from '../features/trivy/scans.ts';
import { createTrivyService } from '../features/trivy/service.ts';
import { vulnerabilityRoutes } from '../features/vulnerabilities/routes.ts';
import { createVulnerabilityService } from '../features/vulnerabilities/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';
import { openStandings } from './staging.ts';

const PROBE_MS = 3_000;

export function scannerAndMaintenanceRoutes(deps: Connections, shared: Shared): Route[] {
  const { store, access, rights, policy, standings, storages, checks, scanner } = shared;
  const { facts } = scanner;
  const { config, queues } = deps;
  const { bestEffort } = createDispatcher(deps);
  const wake = (due: DueMaintenance) => bestEffort(() => queues.wake(due));
  const registryAnswers = () => isHealthy(config.REGISTRY_URL, { timeoutMs: PROBE_MS });
  const repositories = createRepositories({ access, rights, localAnswers: registryAnswers });
  const trivy = createTrivyService({
    store,
    live: deps.settings,
    facts,
    policy,
    scannerEnabled: config.TRIVY_ENABLED,
    wake,
  });
  const dashboard = createDashboardService({
    store,
    standings,
    facts,
    async health() {
      const [registry, workers] = await Promise.all([
        probe(checks.registry),
        probe(checks.workers),
      ]);
      return { registry, workers };
    },
    disks: storages.disks,
    eventsLag: () => slowestLag(deps),
    now: () => new Date(),
  });
  const orphans = createOrphans({
    storages,
    found: store.storages.orphans,
    enqueue: queues.enqueue,
  });
  const garbage = createGarbageService({
    runs: store.maintenance,
    collectable: () => collectable(deps),
    wake,
  });
  const scans = createScansService({
    store,
    repositories,
    rights,
    facts,
    policy,
    wake: ({ id, attempts }) => wake({ kind: 'image-scan', id, attempts }),
  });
  const vulnerabilities = createVulnerabilityService({
    store,
    standings,
    jobStandings: openStandings(shared),
    feeds: deps.feeds.current,
    now: () => new Date(),
  });
  measureFeeds(deps.metrics, deps.feeds, Date.now);
  return [
    ...trivyRoutes(trivy, scans, deps.feeds.current),
    ...vulnerabilityRoutes(vulnerabilities),
    ...dashboardRoutes(dashboard),
    ...maintenanceRoutes({ garbage, orphans, feeds: () => listFeeds(store.feeds, new Date()) }),
  ];
}

async function slowestLag({ redis }: Connections): Promise<number> {
  const groups = await withRedis('EVENTS_UNAVAILABLE', () => listGroups(redis));
  return Math.max(0, ...groups.map(({ lag, pending }) => (lag ?? 0) + pending));
}

async function collectable({ redis }: Connections): Promise<boolean> {
  const alive = await withRedis('HEARTBEATS_UNAVAILABLE', () => listHeartbeats(redis));
  return alive.some(({ name, detail }) => name === 'worker' && detail.collects_garbage === true);
}
