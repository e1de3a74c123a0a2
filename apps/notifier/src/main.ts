/** Reads the audit stream and passes it on. */
import { readFileSync } from 'node:fs';
import {
  createLifecycle,
  createLogger,
  heartbeat,
  loadSecretKey,
  openRedis,
  sealer,
} from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { type NotifierConfig, readConfig } from './config.ts';
import { onArchive } from './on-archive.ts';

async function main(config: NotifierConfig): Promise<void> {
  const { instance, APP_VERSION: version } = config;
  const log = createLogger({ name: 'notifier', level: config.LOG_LEVEL });
  const redis = openRedis(config.REDIS_URL, { mode: 'patient', log });
  const key = await loadSecretKey({ secretKey: secretKey(config), dataDir: config.DATA_DIR });
  const store = openStore(config.DATABASE_URL, sealer(key));
  const lifecycle = createLifecycle({ log, graceMs: 10_000 });
  lifecycle.add('redis', { stop: () => redis.disconnect() });
  lifecycle.add('store', { start: () => store.ping(), stop: () => store.close() });
  lifecycle.add('heartbeat', heartbeat(redis, { name: 'notifier', instance, version }));
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
  await lifecycle.start();
  log.info('ready');
}

function secretKey({ SECRET_KEY, SECRET_KEY_FILE }: NotifierConfig): string | undefined {
  return (
    SECRET_KEY ?? (SECRET_KEY_FILE === undefined ? undefined : readFileSync(SECRET_KEY_FILE, 'utf8').trim())
  );
}

try {
  await main(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
