/**
 * The notifier process: delivers audit events to the archive, e-mail, syslog, webhooks and
 * accounts.
 */
import { forwardsLogs, proxyVariables } from '@portcullis/domain';
import { createAuditLog, forwardLogs, liveNetwork, liveSettings } from '@portcullis/events';
import { createGuardedResolver, createGuardedTransports } from '@portcullis/oci/remote';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  heartbeat,
  loadSecretKeys,
  logTap,
  measureBuild,
  metricsServer,
  NOT_FORWARDED,
  openRedis,
  overNetwork,
  refuseCluster,
  sealer,
  watchLoop,
} from '@portcullis/runtime';
import { assertSchema, openStore } from '@portcullis/store';
import { type NotifierConfig, readConfig } from './config.ts';
import { measureDeliveries } from './delivery-metrics.ts';
import { onNotifications } from './notifications/on-notifications.ts';
import { onArchive } from './on-archive.ts';
import { onEmail } from './on-email.ts';
import { onSyslog } from './on-syslog.ts';
import { onWebhooks } from './webhooks/on-webhooks.ts';

async function main(config: NotifierConfig): Promise<void> {
  process.umask(0o077); // A key file that it creates is readable by our account only.
  const { instance, APP_VERSION: version } = config;
  const tap = logTap();
  const log = createLogger({ name: 'notifier', level: config.LOG_LEVEL, tap });
  const redis = openRedis(config.REDIS_URL, { mode: 'patient', log });
  await refuseCluster(redis);
  const [key, ...otherKeys] = await loadSecretKeys({
    secretKey: config.SECRET_KEY,
    previousKey: config.SECRET_KEY_PREVIOUS,
    dataDir: config.DATA_DIR,
  });
  const secrets = sealer(key, otherKeys);
  const store = openStore(config.DATABASE_URL, secrets, config.DATABASE_POOL_SIZE);
  const settings = liveSettings(redis, store.settings);
  const network = liveNetwork({ settings, env: config.network, open: secrets.open, log });
  const own = overNetwork([config.DATABASE_URL, config.REDIS_URL, config.REGISTRY_URL]);
  const resolve = await createGuardedResolver(own);
  const transports = await createGuardedTransports({
    own,
    allow: config.EGRESS_ALLOW,
    deny: config.EGRESS_DENY,
    proxy: () => proxyVariables(network.current().proxy),
    transport: { client: { userAgent: 'portcullis' }, maxPerHost: 32 },
  });
  const collector = { network, redis, resolve, consumer: instance, log: log.child(NOT_FORWARDED) };
  const audit = createAuditLog({ redis, outbox: store.outbox, log });
  const gatherMs = config.EMAIL_GATHER_SECONDS * 1000;
  const ownersGatherMs = config.EMAIL_OWNERS_GATHER_SECONDS * 1000;
  const email = onEmail({
    ...collector,
    audit,
    users: store.users,
    reviews: store.reviews,
    waivers: store.waivers,
    notifications: store.notifications,
    site: config.PUBLIC_URL ?? null,
    gatherMs,
    ownersGatherMs,
  });
  const syslog = onSyslog(collector);
  const webhooks = onWebhooks({
    ...{ redis, store, audit, log, consumer: instance },
    transport: transports.external(false),
    source: config.PUBLIC_URL ?? '/',
    now: () => new Date(),
  });
  const detail = () => ({ email: email.state(), syslog: syslog.state() });
  const lifecycle = createLifecycle({ log, graceMs: 10_000 });
  lifecycle.add('redis', { stop: () => redis.disconnect() });
  lifecycle.add('store', {
    start: () => assertSchema(config.DATABASE_URL),
    stop: () => store.close(),
  });
  lifecycle.add('audit log', audit);
  lifecycle.add('settings', { stop: () => settings.close() });
  lifecycle.add('network settings', network);
  const wanted = () => forwardsLogs(network.current().syslog);
  lifecycle.add('log forwarding', forwardLogs({ redis, tap, wanted }));
  const { METRICS_PORT: port = null, METRICS_HOST: host } = config;
  const metrics = createMetrics();
  measureBuild(metrics, { process: 'notifier', version, commit: config.APP_COMMIT });
  watchLoop(metrics);
  measureDeliveries(metrics, { email, syslog, webhooks });
  lifecycle.add('metrics', metricsServer({ metrics, port, host, log }));
  lifecycle.add(
    'heartbeat',
    heartbeat(redis, { name: 'notifier', instance, version, detail, file: config.HEARTBEAT_FILE }),
  );
  lifecycle.add(
    'archive',
    onArchive({
      redis,
      archive: store.audit,
      consumer: instance,
      retentionDays: config.AUDIT_RETENTION_DAYS,
      log,
    }),
  );
  lifecycle.add('email', email);
  lifecycle.add('notifications', onNotifications({ redis, store, consumer: instance, log }));
  lifecycle.add('syslog', syslog);
  lifecycle.add('transports', { stop: () => transports.close() });
  lifecycle.add('webhooks', webhooks);
  await lifecycle.start();
  log.info('ready');
}

try {
  await main(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
