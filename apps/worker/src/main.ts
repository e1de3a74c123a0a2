/** The worker process: stages of staging jobs, and maintenance. */
import path from 'node:path';
import { forwardsLogs, POLICY_SETTING, policyInForce } from '@portcullis/domain';
import {
  createAccessCache,
  createAuditLog,
  forwardLogs,
  liveNetwork,
  liveSettings,
  liveThreatFeeds,
  publishChange,
  publishReports,
  watchAfterSettings,
  watchChanges,
} from '@portcullis/events';
import { openGates } from '@portcullis/gate';
import {
  createQuotaClaims,
  createTagClaims,
  logStorageUse,
  registrySocket,
} from '@portcullis/local-registry';
import { limitManifestChildren } from '@portcullis/oci';
import { createMoverPool, openRepository } from '@portcullis/oci/remote';
import { openQueues } from '@portcullis/queue';
import { localRegistryOptions, openEgress } from '@portcullis/registry-access';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  diskSpace,
  heartbeat,
  loadSecretKeys,
  logTap,
  measureBuild,
  measureDisks,
  metricsServer,
  openDataDir,
  openRedis,
  openStorageId,
  openToOthers,
  overNetwork,
  refuseCluster,
  sealer,
  traceOutgoing,
  tracing,
  watchLoop,
} from '@portcullis/runtime';
import { createScanner } from '@portcullis/scanner';
import { assertSchema, openStore } from '@portcullis/store';
import { isCollectorAlone, readConfig, stallLimitsOf, type WorkerConfig } from './config.ts';
import { createAccounts } from './pipeline/accounts.ts';
import { stageConsumers } from './pipeline/consumers.ts';
import { measureStages } from './pipeline/job-metrics.ts';
import { createJobRights } from './pipeline/rights.ts';
import type { WorkerParts } from './pipeline/worker-parts.ts';
import { scannerBinary, scannerSeen } from './stages/scan/scanner-binary.ts';
import { createScannerService } from './stages/scan/scanner-service.ts';
import { announcingReports } from './storage/announced-reports.ts';
import { diskProbe } from './storage/disk-probe.ts';
import { jobReports } from './storage/job-reports.ts';
import { openRoom } from './storage/open-room.ts';
import { storageKeeper } from './storage/storage.ts';
import { background } from './tasks/background.ts';
import { maintenance } from './tasks/maintenance.ts';
import { prepareSigningKey, signerPorts } from './tasks/statements/signer.ts';
import { taskConsumers } from './tasks/task-handlers.ts';

async function main(config: WorkerConfig): Promise<void> {
  limitManifestChildren(config.MAX_MANIFEST_CHILDREN);
  const tap = logTap();
  const log = createLogger({ name: 'worker', level: config.LOG_LEVEL, tap }).child({
    worker: config.workerId,
  });
  const open = await openDataDir(config.DATA_DIR);
  if (open.length > 0) log.warn(openToOthers(open));
  const redis = openRedis(config.REDIS_URL, { mode: 'patient', log });
  await refuseCluster(redis);
  const [key, ...otherKeys] = await loadSecretKeys({
    secretKey: config.SECRET_KEY,
    previousKey: config.SECRET_KEY_PREVIOUS,
    dataDir: config.DATA_DIR,
  });
  const secrets = sealer(key, otherKeys);
  const opened = openStore(config.DATABASE_URL, secrets, config.DATABASE_POOL_SIZE);
  const store = announcingReports(opened, {
    async publish(digests) {
      await opened.standings.noteReports(digests);
      await publishReports(redis, digests);
    },
    log,
  });
  const settings = liveSettings(redis, store.settings);
  const network = liveNetwork({ settings, env: config.network, open: secrets.open, log });
  const feeds = liveThreatFeeds({ settings, feeds: store.feeds, log });
  const proxy = () => network.current().proxy;
  const audit = createAuditLog({ redis, outbox: store.outbox, log });
  const queues = openQueues(redis, { log });
  const egress = await openEgress({
    ownServices: overNetwork([config.DATABASE_URL, config.REDIS_URL, config.REGISTRY_URL]),
    innerSocket: registrySocket(config.REGISTRY_URL),
    allow: config.EGRESS_ALLOW,
    deny: config.EGRESS_DENY,
    storeOrigins: config.REGISTRY_STORE_ORIGINS,
    proxy,
    transport: {
      maxPerHost: config.MAX_PER_HOST,
      stall: stallLimitsOf(config),
      log,
      trace: traceOutgoing,
      movers: createMoverPool(),
    },
  });
  const diskOfData = diskSpace(config.DATA_DIR, config.DISK_RESERVE);
  const diskOfRegistry =
    config.REGISTRY_STORAGE === undefined
      ? null
      : diskSpace(config.REGISTRY_STORAGE, config.DISK_RESERVE);
  const probe = diskProbe({ dataDir: config.DATA_DIR, now: () => performance.now() });
  const storageId = await openStorageId(config.DATA_DIR);
  const room = await openRoom({ config, storageId, redis, audit, store, diskOfData, log });
  const { disk, space, pulls } = room;
  const policy = async () =>
    policyInForce(await settings.find(POLICY_SETTING), config.policy, config.TRIVY_ENABLED);
  const scanner = createScanner({
    dataDir: config.DATA_DIR,
    redisUrl: config.REDIS_URL,
    analyses: store.analyses,
    advisories: store.advisories,
    maxUnpackedBytes: config.SCAN_MAX_UNPACKED_BYTES,
    log,
  });
  const scannerService = createScannerService({ config, proxy, scanner, log, disk, policy });
  const storage = storageKeeper({
    id: storageId,
    storages: store.storages,
    look: async () => ({
      disk: await diskOfData.look(),
      // A storage of the registry that cannot be measured is no reason to miss a heartbeat.
      registryDisk: (await diskOfRegistry?.look().catch(() => null)) ?? null,
      fault: await probe.fault(),
      scanner: await scannerSeen(config, scanner),
    }),
    log,
    now: () => performance.now(),
  });
  const metrics = createMetrics();
  measureBuild(metrics, {
    process: 'worker',
    version: config.APP_VERSION,
    commit: config.APP_COMMIT,
  });
  watchLoop(metrics);
  const localOptions = localRegistryOptions(config.REGISTRY_URL, egress.inner);
  const accessCache = createAccessCache((onChange) => watchChanges(redis, onChange));
  const accounts = createAccounts(store, accessCache);
  const gates = openGates({
    store,
    policy,
    folders: accounts.folders,
    open: (repository) => openRepository({ ...localOptions, repository }),
    watch: (onChange) => watchAfterSettings(redis, settings, onChange),
    database: scannerService.database,
    announce: () => publishChange(redis, 'gate'),
    claims: { tags: createTagClaims(redis), quotas: createQuotaClaims(redis) },
    now: () => new Date(),
  });
  const parts: WorkerParts = {
    config,
    log,
    redis,
    audit,
    store,
    queues,
    disk,
    storage,
    space,
    pulls,
    probe,
    egress,
    network,
    feeds,
    policy,
    rights: createJobRights(accounts, policy),
    folders: accounts.folders,
    scannerService,
    reports: jobReports({
      store,
      scannerService,
      storageId: storage.id,
      stagingDir: disk.stagingDir,
      workDir: path.join(config.DATA_DIR, 'cache', 'reports'),
      log,
    }),
    ...gates,
  };
  measureDisks(metrics, {
    data: diskOfData.look,
    registry: async () => (await diskOfRegistry?.look()) ?? null,
  });
  const measure = measureStages(metrics, () => performance.now());
  const stages = stageConsumers(parts, measure);
  const maintaining = maintenance(parts);

  const graceMs = config.WORKER_GRACE_SECONDS * 1000;
  // Interrupted stages still have to write their outcomes.
  const lifecycle = createLifecycle({ log, graceMs: graceMs + 8_000 });
  const { workerId: instance, APP_VERSION: version } = config;
  lifecycle.add(
    'tracing',
    tracing({ settings: config, process: 'worker', instance, version, log }),
  );
  lifecycle.add('redis', { stop: () => redis.disconnect() });
  lifecycle.add('store', {
    start: () => assertSchema(config.DATABASE_URL),
    stop: () => store.close(),
  });
  lifecycle.add('room', { stop: () => room.close() });
  lifecycle.add('scanner', { stop: () => scanner.close() });
  lifecycle.add('gate', { stop: () => gates.gate.close() });
  lifecycle.add('access cache', { stop: () => accessCache.close() });
  lifecycle.add('settings', { stop: () => settings.close() });
  lifecycle.add('network settings', network);
  lifecycle.add('threat feeds', feeds);
  const wanted = () => forwardsLogs(network.current().syslog);
  lifecycle.add('log forwarding', forwardLogs({ redis, tap, wanted }));
  lifecycle.add('registry storage', {
    start: () => logStorageUse(config.REGISTRY_STORAGE, log),
  });
  lifecycle.add('egress', { stop: () => egress.close() });
  lifecycle.add('audit log', audit);
  lifecycle.add('queues', { stop: () => queues.close() });
  lifecycle.add(
    'heartbeat',
    heartbeat(redis, {
      name: 'worker',
      instance,
      version,
      detail: () => ({ ...stages.detail(), ...maintaining.detail() }),
      file: config.HEARTBEAT_FILE,
    }),
  );
  const { METRICS_PORT: port = null, METRICS_HOST: host } = config;
  lifecycle.add('metrics', metricsServer({ metrics, port, host, log }));
  if (!isCollectorAlone(config)) {
    lifecycle.add('scanner binary', scannerBinary(config, log));
    lifecycle.add('storage', storage);
    lifecycle.add('tasks', taskConsumers(parts));
    lifecycle.add('signing key', { start: () => prepareSigningKey(signerPorts(parts)) });
    lifecycle.add('background', background(parts));
  }
  lifecycle.add('maintenance', maintaining);
  lifecycle.add('stages', stages);
  await lifecycle.start();
  log.info({ stages: config.WORKER_STAGES, concurrency: config.WORKER_CONCURRENCY }, 'ready');
}

try {
  await main(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
