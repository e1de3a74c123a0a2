/** docker-compose.yml as parsed by docker compose itself. */
import { chmodSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import {
  type ComposeProject,
  readCompose,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig as readApi } from '../../apps/api/src/config.ts';
import { readConfig as readCli } from '../../apps/cli/src/config.ts';
import { readConfig as readNotifier } from '../../apps/notifier/src/config.ts';
import { readConfig as readWorker } from '../../apps/worker/src/config.ts';
import { variables } from '../../tools/config-reference/configuration-reference.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OURS = ['migrate', 'api', 'worker', 'notifier'];
let dir: TemporaryDir;
let project: ComposeProject;

beforeAll(async () => {
  dir = await temporaryDir();
  const { PATH = '' } = process.env;
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], {
    env: { PATH, SECRETS_DIR: dir.path },
  });
  project = await readCompose(path.join(ROOT, 'docker-compose.yml'), { SECRETS_DIR: dir.path });
});

afterAll(() => dir?.remove());

const service = (name: string) => project.services[name] ?? {};
const secret = (name: string) => readFileSync(path.join(dir.path, name), 'utf8').trim();

/** The environment that a process of the service would read. */
function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(service(name).environment ?? {}).map(([key, value]) => [
    key,
    (value ?? '').replace('/run/secrets', dir.path),
  ]);
  return Object.fromEntries(entries);
}

it('is a valid compose file with the whole product', () => {
  expect(Object.keys(project.services).sort()).toEqual(
    [...OURS, 'postgres', 'redis', 'registry'].sort(),
  );
});

it('only the api and the worker share a network with the registry, which has no external network', () => {
  const neighbours = Object.keys(project.services).filter(
    (name) => 'registry' in (service(name).networks ?? {}),
  );
  expect(neighbours.sort()).toEqual(['api', 'registry', 'worker']);
  expect(Object.keys(service('registry').networks ?? {})).toEqual(['registry']);
  expect(project.networks).toMatchObject({
    registry: { internal: true },
    state: { internal: true },
  });
});

it('only the api publishes ports', () => {
  expect(Object.keys(project.services).filter((name) => service(name).ports)).toEqual(['api']);
});

it('each of our processes runs without root, and writes only to its volumes and /tmp', () => {
  for (const name of OURS)
    expect(service(name), name).toMatchObject({
      read_only: true,
      user: '10001:10001',
      cap_drop: ['ALL'],
    });
});

it('variables in `.env` reach the processes', async () => {
  const given = {
    SECRETS_DIR: dir.path,
    VULN_SCAN_SEVERITIES: 'CRITICAL',
    SYSLOG_HOST: 'logs.example.com',
  };
  const changed = await readCompose(path.join(ROOT, 'docker-compose.yml'), {
    ...given,
    OIDC_ONLY: 'false',
  });
  expect(changed.services.worker?.environment).toMatchObject({ VULN_SCAN_SEVERITIES: 'CRITICAL' });
  expect(changed.services.notifier?.environment).toMatchObject({ SYSLOG_HOST: 'logs.example.com' });
  expect(changed.services.api?.environment).toMatchObject({ OIDC_ONLY: 'false' });
});

it('no secret is in the environment: each is a file that is mounted into the service', () => {
  const secretNames = [...variables()].filter(([, { isSecret }]) => isSecret).map(([each]) => each);
  // Proxy URLs rarely contain a password, and Docker itself passes these variables on.
  const hidden = secretNames.filter((each) => !/^HTTPS?_PROXY$/.test(each));
  const isOpen = (value = '') => URL.canParse(value) && new URL(value).password === '';
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(project.services)) {
    const files = Object.values(environment).filter((value) => value?.startsWith('/run/secrets/'));
    const given = secrets.map(({ source }) => source);
    expect(
      files.map((file) => path.basename(file ?? '')).filter((file) => !given.includes(file)),
      name,
    ).toEqual([]);
    const shown = hidden.filter((each) => each in environment && !isOpen(environment[each] ?? ''));
    expect(shown, name).toEqual([]);
  }
});

it('every secret that a service mounts is created, even if empty', () => {
  const mounted = Object.values(project.services).flatMap(({ secrets = [] }) =>
    secrets.map((each) => each.source),
  );
  expect(Object.keys(project.secrets).sort()).toEqual([...new Set(mounted)].sort());
  for (const { file } of Object.values(project.secrets)) expect(existsSync(file), file).toBe(true);
});

it('dependencies of services are started, healthy or completed before them', () => {
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

it('the processes accept their settings, with the created secrets', () => {
  const same = {
    DATABASE_URL: secret('database_url'),
    REDIS_URL: secret('redis_url'),
    SECRET_KEY: secret('secret_key'),
  };
  const api = readApi(environmentOf('api'));
  expect(api).toMatchObject({ ...same, ADMIN_PASSWORD: secret('admin_password'), HOST: '0.0.0.0' });
  expect(readWorker(environmentOf('worker'))).toMatchObject({
    ...same,
    REGISTRY_URL: secret('registry_url'),
  });
  expect(readNotifier(environmentOf('notifier'))).toMatchObject(same);
  expect(readCli(environmentOf('migrate'))).toMatchObject({ databaseUrl: same.DATABASE_URL });
  expect(new URL(api.DATABASE_URL).password).toBe(secret('postgres_password'));
  expect(`requirepass ${new URL(api.REDIS_URL).password}`).toBe(secret('redis_config'));
});

describe("with the registry's storage in a bucket (O16)", () => {
  const files = ['docker-compose.yml', 'deploy/compose/s3.yml'].map((file) =>
    path.join(ROOT, file),
  );
  const given = () => ({
    SECRETS_DIR: dir.path,
    REGISTRY_S3_BUCKET: 'images',
    REGISTRY_S3_ENDPOINT: 'https://store',
  });

  it('neither the registry nor the worker has a volume for it, and both read the same file with the keys', async () => {
    const { services } = await readCompose(files, given());
    expect(services.registry?.volumes?.map(({ source }) => source)).toEqual(['registry-login']);
    expect(services.worker?.volumes?.map(({ source }) => source)).toEqual(['data']);
    for (const name of ['registry', 'worker'])
      expect(services[name]?.secrets?.map(({ source }) => source)).toContain(
        'registry_s3_credentials',
      );
    expect(services.registry?.environment).toMatchObject({
      AWS_SHARED_CREDENTIALS_FILE: '/run/secrets/registry_s3_credentials',
    });
    for (const name of ['api', 'notifier', 'migrate'])
      expect(services[name]?.secrets?.map(({ source }) => source)).not.toContain(
        'registry_s3_credentials',
      );
  });

  it('the worker accepts it, and refuses a bucket together with a directory', async () => {
    const keys = path.join(dir.path, 'keys');
    writeFileSync(keys, '[default]\naws_access_key_id = i\naws_secret_access_key = k\n');
    const worker = async (composed: string[]) => {
      const { environment = {} } = (await readCompose(composed, given())).services.worker ?? {};
      const entries = Object.entries(environment).map(([name, value]) => [
        name,
        (value ?? '').replace('/run/secrets', dir.path),
      ]);
      return readWorker({ ...Object.fromEntries(entries), REGISTRY_S3_CREDENTIALS_FILE: keys });
    };
    expect(await worker(files)).toMatchObject({
      registryBucket: {
        bucket: 'images',
        endpoint: 'https://store',
        region: 'us-east-1',
        pathStyle: true,
        root: '',
        credentials: { accessKeyId: 'i', secretAccessKey: 'k' },
      },
    });
    await expect(worker(files.slice(0, 1))).rejects.toThrow('a directory or a bucket');
  });

  it('a bucket without a name is reported before anything starts', async () => {
    await expect(readCompose(files, { SECRETS_DIR: dir.path })).rejects.toThrow(
      'the name of the bucket',
    );
  });
});

it('existing secrets are kept', async () => {
  const before = secret('admin_password');
  const { PATH = '' } = process.env;
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], {
    env: { PATH, SECRETS_DIR: dir.path },
  });
  expect(secret('admin_password')).toBe(before);
});

it('an existing folder that other accounts may enter is closed to them', async () => {
  await using folder = await temporaryDir();
  chmodSync(folder.path, 0o755);
  const { PATH = '' } = process.env;
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], {
    env: { PATH, SECRETS_DIR: folder.path },
  });
  expect(statSync(folder.path).mode & 0o777).toBe(0o700);
});

it.each([
  ['', './secrets'],
  ['SECRETS_DIR=./elsewhere\n', './elsewhere'],
  ['# SECRETS_DIR=./no\nOTHER_SECRETS_DIR=./no\nexport SECRETS_DIR="./a folder"\n', './a folder'],
])('secrets are created where compose reads them, with a `.env` of %j', async (env, place) => {
  await using copy = await temporaryDir();
  const scripts = path.join(copy.path, 'deploy/compose');
  cpSync(path.join(ROOT, 'deploy/compose'), scripts, { recursive: true });
  writeFileSync(path.join(copy.path, '.env'), env);
  const { PATH = '' } = process.env;
  await run('sh', [path.join(scripts, 'secrets.sh')], { env: { PATH } });
  expect(existsSync(path.join(copy.path, place, 'admin_password'))).toBe(true);
});
