/** The composition root of the api. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { forwardsLogs } from '@portcullis/domain';
import {
  createAuditLog,
  forwardLogs,
  liveNetwork,
  liveSettings,
  liveThreatFeeds,
} from '@portcullis/events';
import { logStorageUse } from '@portcullis/local-registry';
import { limitManifestChildren } from '@portcullis/oci';
import { createPasswords } from '@portcullis/passwords';
import { openQueues } from '@portcullis/queue';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  heartbeat,
  loadSecretKeys,
  logTap,
  measureBuild,
  metricsServer,
  openDataDir,
  openRedis,
  openToOthers,
  refuseCluster,
  sealer,
  tracing,
  watchLoop,
} from '@portcullis/runtime';
import { assertSchema, openStore } from '@portcullis/store';
import { admissionPart } from './admission/admission-server.ts';
import { createApp } from './app.ts';
import { openApiEgress } from './compose/egress.ts';
import { type ApiConfig, readConfig } from './config.ts';
import { createAnnouncer } from './identity/change-notifications.ts';
import { ensureFirstAdmin } from './identity/first-admin.ts';
import { type Listening, listen } from './server.ts';

try {
  await run(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function run(config: ApiConfig): Promise<void> {
  limitManifestChildren(config.MAX_MANIFEST_CHILDREN);
  const tap = logTap();
  const log = createLogger({ name: 'api', level: config.LOG_LEVEL, tap });
  // Needed for the key in DATA_DIR; with SECRET_KEY set, this process needs no directory.
  const open = config.SECRET_KEY === undefined ? await openDataDir(config.DATA_DIR) : [];
  if (open.length > 0) log.warn(openToOthers(open));
  const [secretKey, ...otherKeys] = await loadSecretKeys({
    secretKey: config.SECRET_KEY,
    previousKey: config.SECRET_KEY_PREVIOUS,
    dataDir: config.DATA_DIR,
  });
  const secrets = sealer(secretKey, otherKeys);
  const store = openStore(config.DATABASE_URL, secrets, config.DATABASE_POOL_SIZE);
  const redis = openRedis(config.REDIS_URL, { mode: 'fail-fast', log });
  await refuseCluster(redis);
  const audit = createAuditLog({ redis, outbox: store.outbox, log });
  const queues = openQueues(redis, { log });
  const passwords = createPasswords();
  const settings = liveSettings(redis, store.settings);
  const network = liveNetwork({ settings, env: config.network, open: secrets.open, log });
  const feeds = liveThreatFeeds({ settings, feeds: store.feeds, log });
  const egress = await openApiEgress(config, { network, log });
  const metrics = createMetrics();
  measureBuild(metrics, {
    process: 'api',
    version: config.APP_VERSION,
    commit: config.APP_COMMIT,
  });
  watchLoop(metrics);
  let listening: Listening | null = null;
  const api = createApp({
    config,
    secretKey,
    otherKeys,
    store,
    redis,
    audit,
    queues,
    passwords,
    egress,
    settings,
    network,
    feeds,
    log,
    metrics,
    port: () => listening?.port ?? config.PORT,
  });
  const server = createServer(api.app);

  const lifecycle = createLifecycle({ log, graceMs: config.API_GRACE_SECONDS * 1000 });
  const { instance, APP_VERSION: version } = config;
  lifecycle.add('tracing', tracing({ settings: config, process: 'api', instance, version, log }));
  lifecycle.add('store', {
    start: () => assertSchema(config.DATABASE_URL),
    stop: () => store.close(),
  });
  lifecycle.add('redis', { stop: () => redis.disconnect() });
  lifecycle.add('audit log', audit);
  lifecycle.add('queues', { stop: () => queues.close() });
  lifecycle.add('settings', { stop: () => settings.close() });
  lifecycle.add('network settings', network);
  lifecycle.add('threat feeds', feeds);
  const wanted = () => forwardsLogs(network.current().syslog);
  lifecycle.add('log forwarding', forwardLogs({ redis, tap, wanted }));
  lifecycle.add('egress', { stop: () => egress.close() });
  lifecycle.add('passwords', { stop: () => passwords.close() });
  lifecycle.add('first administrator', { start: () => prepare(config, store, passwords) });
  // An api that was killed may have saved a change without announcing it.
  const announceAccess = createAnnouncer({ redis, kind: 'access', forget() {}, log });
  lifecycle.add('announcement', { start: () => void announceAccess() });
  lifecycle.add('registry storage', {
    start: () => logStorageUse(config.REGISTRY_STORAGE, log),
  });
  lifecycle.add('server', {
    async start() {
      listening = await listen(server, config.PORT, config.HOST);
      log.info({ host: config.HOST, port: listening.port }, 'listening');
    },
    async stop() {
      api.close();
      // Leaves the other parts some of the grace time.
      await listening?.stop(config.API_GRACE_SECONDS * 800);
    },
  });
  lifecycle.add('admission webhook', admissionPart(api.admission, config, log));
  const { METRICS_PORT: port = null, METRICS_HOST: host } = config;
  lifecycle.add('metrics', metricsServer({ metrics, port, host, log }));
  lifecycle.add('heartbeat', heartbeat(redis, { name: 'api', instance, version }));
  await lifecycle.start();
}

async function prepare(
  config: ApiConfig,
  store: ReturnType<typeof openStore>,
  passwords: ReturnType<typeof createPasswords>,
): Promise<void> {
  await store.folders.ensureRoot();
  await ensureFirstAdmin(store.users, passwords, {
    username: config.ADMIN_USERNAME,
    password: config.ADMIN_PASSWORD ?? null,
    announce: (username, password) => announce(config.FIRST_ADMIN_FILE, username, password),
  });
}

/**
 * Writes the password to the file for the supervisor, which shows it once; without a file, to
 * standard error.
 */
async function announce(
  file: string | undefined,
  username: string,
  password: string,
): Promise<void> {
  if (file !== undefined) return writeFile(file, `${password}\n`, { mode: 0o600 });
  process.stderr.write(
    `\nThe first account is ${username} with the password ${password}\nIt is shown this once; change it.\n\n`,
  );
}
