/** Routes of audit, network settings, processes, health and version. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { auditGroups } from '@portcullis/domain';
import { backlog, groupLags, recent, streamTime } from '@portcullis/events';
import { sendMail, sendSyslog } from '@portcullis/notify';
import { listHeartbeats, measureDisks, sealer, withRedis } from '@portcullis/runtime';
import { auditRoutes } from '../features/audit/routes.ts';
import { createAuditService } from '../features/audit/service.ts';
import { networkRoutes } from '../features/network/routes.ts';
import { createNetworkService } from '../features/network/service.ts';
import { measureDependencies, measureInstallation } from '../features/processes/gauges.ts';
import { withWaits } from '../features/processes/queue-waits.ts';
import { processRoutes } from '../features/processes/routes.ts';
import { createProcessService, type ProcessPorts } from '../features/processes/service.ts';
import { latestRelease } from '../features/system/releases.ts';
import { systemRoutes } from '../features/system/routes.ts';
import { createSystemService } from '../features/system/service.ts';
import { rescanProgress } from '../features/trivy/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function versionAndHealthRoutes(
  { config, redis, egress, metrics }: Connections,
  { checks, scanner, policy }: Shared,
  stopping: AbortSignal,
): Route[] {
  const service = createSystemService({
    checks,
    stopping: () => stopping.aborted,
    scanner: scanner.facts,
    policy,
    version: config.APP_VERSION,
    commit: config.APP_COMMIT ?? null,
    sampleData: config.SAMPLE_DATA,
    latest: () =>
      latestRelease({ url: config.RELEASE_CHECK_URL ?? null, transport: egress.configured, redis }),
    now: Date.now,
  });
  measureDependencies(metrics, service.dependencies);
  return systemRoutes(service);
}

export function auditAndProcessRoutes(
  { redis, network, queues, metrics }: Connections,
  { store, checks, scanner, storages, waits }: Shared,
): Route[] {
  const audit = createAuditService({
    archive: store.audit,
    backlog: (options) => backlog(redis, { ...options, group: 'archive' }),
  });
  const ports: ProcessPorts = {
    heartbeats: () => withRedis('REDIS_UNAVAILABLE', () => listHeartbeats(redis)),
    checks,
    scanner: scanner.facts,
    rescans: async () => rescanProgress(store, await scanner.facts()),
    rematch: store.rematches.progress,
    standings: store.standings.counts,
    statements: store.statements.counts,
    clusterReports: store.clusters.reports,
    auditGroups: () => auditGroups(network.current()),
    lags: (groups) => groupLags(redis, groups),
    outbox: store.outbox.waiting,
    disks: storages.disks,
    waits,
    depths: async () => withWaits(await queues.depths(await storages.ids()), await waits()),
    now: Date.now,
  };
  measureInstallation(metrics, ports);
  measureDisks(metrics, storages.disks);
  return [...auditRoutes(audit), ...processRoutes(createProcessService(ports))];
}

export function networkSettingRoutes(
  { config, secretKey, otherKeys, redis, egress, settings }: Connections,
  { store }: Shared,
): Route[] {
  const service = createNetworkService({
    settings: store.settings,
    live: settings,
    env: config.network,
    sealer: sealer(secretKey, otherKeys),
    streamTime: () => streamTime(redis),
    recent: (limit) => recent(redis, limit),
    sendMail,
    sendSyslog,
    resolve: egress.resolve,
    hostname: hostname(),
    now: () => new Date(),
    newId: randomUUID,
  });
  return networkRoutes(service);
}
