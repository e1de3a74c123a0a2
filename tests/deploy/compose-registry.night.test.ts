/** The registry of docker-compose.yml, run with its environment and the created secrets. */
import { rmSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireRegistry, freePort, run, startService } from '@portcullis/embedded';
import { isHealthy } from '@portcullis/local-registry';
import {
  type ComposeProject,
  readCompose,
  type TemporaryDir,
  temporaryDir,
  testCacheDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../apps/cli/src/cli.fixture.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

let dir: TemporaryDir;
let login: TemporaryDir;
let project: ComposeProject;

beforeAll(async () => {
  [dir, login] = await Promise.all([temporaryDir(), temporaryDir()]);
  await makeSecrets();
  project = await readCompose(path.join(ROOT, 'docker-compose.yml'), { SECRETS_DIR: dir.path });
});

afterAll(async () => {
  await Promise.all([dir?.remove(), login?.remove()]);
});

async function makeSecrets(): Promise<void> {
  const { PATH = '' } = process.env;
  const script = path.join(ROOT, 'deploy/compose/secrets.sh');
  await run('sh', [script], { env: { PATH, SECRETS_DIR: dir.path } });
}

const secret = async (name: string) => (await readFile(path.join(dir.path, name), 'utf8')).trim();

/** The first command of `migrate`, with the files of this machine in place of the container's. */
async function writeLogin(): Promise<string> {
  const [, , script = ''] = project.services.migrate?.command ?? [];
  const [, ...words] = /^portcullis (registry-login) (\S+) &&/.exec(script) ?? [];
  const file = path.join(login.path, 'htpasswd');
  const env = { REGISTRY_URL_FILE: path.join(dir.path, 'registry_url') };
  const ran = await runCli(
    words.map((each) => each.replace('/registry-login', login.path)),
    { env },
  );
  expect(ran).toMatchObject({ code: 0, err: '' });
  return file;
}

it('accounts of the host that reach its address are refused without the login', async () => {
  const file = await writeLogin();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const port = await freePort();
  const binary = await acquireRegistry({ cacheDir: testCacheDir, env: testEnv });
  const given = Object.entries(project.services.registry?.environment ?? {}).map(([key, value]) => [
    key,
    (value ?? '').replace('/registry-login', login.path),
  ]);
  const service = await startService({
    name: 'registry',
    command: binary.path,
    args: ['serve', path.join(ROOT, 'deploy/compose/registry.yml')],
    env: {
      PATH: testEnv.PATH,
      ...binary.env,
      ...Object.fromEntries(given),
      REGISTRY_HTTP_ADDR: `127.0.0.1:${port}`,
      REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY: path.join(login.path, 'storage'),
    },
  });
  try {
    const url = new URL(await secret('registry_url'));
    url.host = `127.0.0.1:${port}`;
    await expect.poll(() => isHealthy(url.href)).toBe(true);
    expect((await fetch(new URL('/v2/', url.origin))).status).toBe(401);
    url.password = 'another';
    expect(await isHealthy(url.href)).toBe(false);
    // What its health check requests.
    expect((await fetch(url.origin)).status).toBe(200);
  } finally {
    await service.stop();
  }
});

it('the api and the worker read the login from a file, and only they and `migrate` have it', () => {
  const users = Object.entries(project.services).filter(([, { secrets = [] }]) =>
    secrets.some(({ source }) => source === 'registry_url'),
  );
  expect(users.map(([name]) => name).sort()).toEqual(['api', 'migrate', 'worker']);
  for (const [, { environment }] of users)
    expect(environment).toMatchObject({ REGISTRY_URL_FILE: '/run/secrets/registry_url' });
});

it('its bucket changes nothing about that', async () => {
  const files = ['docker-compose.yml', 'deploy/compose/s3.yml'];
  const given = { SECRETS_DIR: dir.path, REGISTRY_S3_BUCKET: 'images' };
  const paths = files.map((each) => path.join(ROOT, each));
  const { registry } = (await readCompose(paths, given)).services;
  expect(registry?.environment).toMatchObject({ REGISTRY_AUTH: 'htpasswd' });
  expect(registry?.volumes?.map(({ source }) => source)).toEqual(['registry-login']);
});

it('an installation that lost it gets another at its next start, and keeps its other secrets', async () => {
  const all = () => readdir(dir.path).then((names) => Promise.all(names.sort().map(secret)));
  const before = await secret('database_url');
  rmSync(path.join(dir.path, 'registry_url'));
  await makeSecrets();
  expect(await secret('database_url')).toBe(before);
  expect(await secret('registry_url')).toMatch(/^http:\/\/portcullis:[0-9a-f]{48}@registry:5000$/);
  const made = await all();
  await makeSecrets();
  expect(await all()).toEqual(made);
});

it('a URL without a password is refused, and the present file stays', async () => {
  const file = path.join(login.path, 'kept');
  await writeFile(file, 'kept');
  const env = { REGISTRY_URL: 'http://registry:5000' };
  const ran = await runCli(['registry-login', file], { env });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('REGISTRY_LOGIN_MISSING') });
  expect(await readFile(file, 'utf8')).toBe('kept');
});
