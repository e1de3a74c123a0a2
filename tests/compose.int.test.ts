/** docker-compose.yml, as docker compose itself understands it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import { type ComposeProject, readCompose, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig as readApi } from '../apps/api/src/config.ts';
import { readConfig as readCli } from '../apps/cli/src/config.ts';
import { readConfig as readNotifier } from '../apps/notifier/src/config.ts';
import { readConfig as readWorker } from '../apps/worker/src/config.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const OURS = ['migrate', 'api', 'worker', 'notifier'];

let dir: TemporaryDir;
let project: ComposeProject;

beforeAll(async () => {
  dir = await temporaryDir();
  const { PATH = '' } = process.env;
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], { env: { PATH, SECRETS_DIR: dir.path } });
  project = await readCompose(path.join(ROOT, 'docker-compose.yml'), { SECRETS_DIR: dir.path });
}, 600_000);

afterAll(() => dir?.remove());

const service = (name: string) => project.services[name] ?? {};
const secret = (name: string) => readFileSync(path.join(dir.path, name), 'utf8').trim();

/** What a process of the service would read. */
function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(service(name).environment ?? {}).map(([key, value]) => [
    key,
    (value ?? '').replace('/run/secrets', dir.path),
  ]);
  return Object.fromEntries(entries);
}

it('is a compose file by the specification, and holds the whole product', () => {
  expect(Object.keys(project.services).sort()).toEqual([...OURS, 'postgres', 'redis', 'registry'].sort());
});

it('only the api and the worker share a network with the registry, which is cut off from outside', () => {
  const neighbours = Object.keys(project.services).filter(
    (name) => 'registry' in (service(name).networks ?? {}),
  );
  expect(neighbours.sort()).toEqual(['api', 'registry', 'worker']);
  expect(Object.keys(service('registry').networks ?? {})).toEqual(['registry']);
  expect(project.networks).toMatchObject({ registry: { internal: true }, state: { internal: true } });
});

it('only the api is reached from outside', () => {
  expect(Object.keys(project.services).filter((name) => service(name).ports)).toEqual(['api']);
});

it('every process of ours is nobody in particular, and writes only to its volumes and /tmp', () => {
  for (const name of OURS)
    expect(service(name), name).toMatchObject({ read_only: true, user: '10001:10001', cap_drop: ['ALL'] });
});

it('no secret stands in the environment: each is a file that the service is given', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(project.services)) {
    const files = Object.entries(environment).filter(([key]) => key.endsWith('_FILE'));
    const given = secrets.map(({ source }) => source);
    expect(
      files.every(([, value]) => given.includes(path.basename(value ?? ''))),
      name,
    ).toBe(true);
    expect(
      Object.keys(environment).filter((key) => /(PASSWORD|SECRET|KEY|DATABASE_URL|REDIS_URL)$/.test(key)),
    ).toEqual([]);
  }
});

it('what the services need is started, healthy or done before them', () => {
  const conditions = (name: string) =>
    Object.fromEntries(
      Object.entries(service(name).depends_on ?? {}).map(([on, { condition }]) => [on, condition]),
    );
  expect(conditions('api')).toEqual({
    migrate: 'service_completed_successfully',
    postgres: 'service_healthy',
    redis: 'service_healthy',
    registry: 'service_healthy',
  });
  expect(conditions('migrate')).toEqual({ postgres: 'service_healthy' });
  for (const name of ['postgres', 'redis', 'registry'])
    expect(service(name).healthcheck?.test[0]).toMatch(/^CMD/);
});

it('the processes understand their settings, by the secrets that are made', () => {
  const same = {
    DATABASE_URL: secret('database_url'),
    REDIS_URL: secret('redis_url'),
    SECRET_KEY: secret('secret_key'),
  };
  const api = readApi(environmentOf('api'));
  expect(api).toMatchObject({ ...same, ADMIN_PASSWORD: secret('admin_password'), HOST: '0.0.0.0' });
  expect(readWorker(environmentOf('worker'))).toMatchObject({
    ...same,
    REGISTRY_URL: 'http://registry:5000',
  });
  expect(readNotifier(environmentOf('notifier'))).toMatchObject(same);
  expect(readCli(environmentOf('migrate'))).toMatchObject({ databaseUrl: same.DATABASE_URL });
  expect(new URL(api.DATABASE_URL).password).toBe(secret('postgres_password'));
  expect(`requirepass ${new URL(api.REDIS_URL).password}`).toBe(secret('redis_config'));
});

it('secrets that are there are kept', async () => {
  const before = secret('admin_password');
  const { PATH = '' } = process.env;
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], { env: { PATH, SECRETS_DIR: dir.path } });
  expect(secret('admin_password')).toBe(before);
});
