/**
 * The product as containers: the images from tests/deploy/containers/build.ts on real services, on
 * this machine's network.
 */
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  eventually,
  startPostgres,
  startRedis,
  startRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { freePort, type Product } from '../../support/product.ts';
import { API_IMAGE, podman, WORKER_IMAGE } from './engine.ts';

/** As in the Dockerfiles. */
const UID = 10_001;
export const LOCKED_DOWN: string[] = [
  ...['--network', 'host', '--read-only', '--user', String(UID), '--cap-drop', 'all'],
  ...['--security-opt', 'no-new-privileges'],
  ...['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'],
];
const SECRETS = ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'ADMIN_PASSWORD'];

interface Site {
  secretsDir: string;
  dataDir: string;
  env: Record<string, string>;
}

export async function startContainers(
  dataDir: string,
  env: Record<string, string>,
): Promise<Product> {
  const parts = new AsyncDisposableStack();
  const postgres = parts.use(await startPostgres());
  const redis = parts.use(await startRedis());
  const registry = parts.use(await startRegistry());
  const secrets = await temporaryDir();
  parts.defer(() => secrets.remove());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...env,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    SECRET_KEY: 'a key that only the tests know',
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const site = await lay({ secretsDir: secrets.path, dataDir, env: settings });
  await podman('run', '--rm', ...place(site), API_IMAGE, 'portcullis', 'migrate');

  const tag = path.basename(secrets.path);
  const names: string[] = [];
  const start = async (name: string, image: string, ...command: string[]) => {
    names.push(`${tag}-${name}`);
    await podman('run', '--detach', '--name', `${tag}-${name}`, ...place(site), image, ...command);
  };
  let output = '';
  const stop = async () => {
    const leaving = names.splice(0);
    for (const name of leaving) {
      await podman('stop', '--time', '30', name);
      const code = (await podman('inspect', '--format', '{{.State.ExitCode}}', name)).trim();
      output += `${await podman('logs', name)}\n${name} ended with code ${code}\n`;
      await podman('rm', name);
    }
    if (leaving.length > 0 && !/with code (?!0)/.test(output)) output += 'stopped\n';
    await parts.disposeAsync();
  };
  try {
    await start('api', API_IMAGE);
    await start('worker', WORKER_IMAGE);
    await start('notifier', WORKER_IMAGE, 'node', 'apps/notifier/src/main.ts');
    await untilHealthy(names);
  } catch (error) {
    await stop();
    throw new Error(`the containers did not start:\n${output}`, { cause: error });
  }
  return {
    url,
    dataDirs: () => [dataDir],
    databaseUrl: async () => postgres.url,
    output: () => output,
    firstPassword: null,
    running: async () =>
      (await podman('ps', '--format', '{{.Names}}'))
        .split('\n')
        .filter((name) => name.startsWith(tag)),
    stop,
  };
}

/** Secrets are passed as files, other settings as environment variables. */
async function lay({ secretsDir, dataDir, env }: Site): Promise<Site> {
  await mkdir(dataDir, { recursive: true });
  await chown(dataDir, UID, UID);
  await chown(secretsDir, UID, UID);
  const rest = { ...env };
  for (const name of SECRETS) {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) continue;
    const file = path.join(secretsDir, name.toLowerCase());
    await writeFile(file, `${value}\n`, { mode: 0o400 });
    await chown(file, UID, UID);
    rest[`${name}_FILE`] = `/run/secrets/${name.toLowerCase()}`;
  }
  return { secretsDir, dataDir, env: rest };
}

function place({ secretsDir, dataDir, env }: Site): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const volumes = ['--volume', `${dataDir}:/data`, '--volume', `${secretsDir}:/run/secrets:ro`];
  return [...LOCKED_DOWN, ...volumes, ...variables];
}

/** Ready by the health checks of the images. */
async function untilHealthy(names: readonly string[]): Promise<void> {
  for (const name of names)
    await eventually(() => isHealthy(name), Boolean, {
      describe: () => `${name} does not become healthy`,
      intervalMs: 500,
    });
}

function isHealthy(name: string): Promise<boolean> {
  return podman('healthcheck', 'run', name).then(
    () => true,
    () => false,
  );
}
