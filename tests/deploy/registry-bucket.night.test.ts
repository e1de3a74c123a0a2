/**
 * O16: the registry with a bucket, with the configuration and environment from compose and chart.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireRegistry, freePort, run, startService, untilReady } from '@portcullis/embedded';
import {
  basicAuthorization,
  isHealthy,
  parseRegistryUrl,
  registryConfig,
} from '@portcullis/local-registry';
import {
  buildImage,
  fetchManifest,
  pushImage,
  readCompose,
  startS3,
  type TemporaryDir,
  type TestS3,
  temporaryDir,
  testCacheDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLI = path.join(ROOT, 'apps/cli/src/main.ts');

let store: TestS3;
let dir: TemporaryDir;

beforeAll(async () => {
  store = await startS3();
  dir = await temporaryDir();
  const { accessKeyId, secretAccessKey } = store.credentials;
  const text = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  await writeFile(path.join(dir.path, 'registry_s3_credentials'), text);
  await run('sh', [path.join(ROOT, 'deploy/compose/secrets.sh')], {
    env: { PATH: testEnv.PATH, SECRETS_DIR: dir.path },
  });
});

afterAll(async () => {
  await store?.stop();
  await dir?.remove();
});

/**
 * Starts it with the shipped configuration on a port of this machine, and checks that a push is in
 * the bucket.
 */
async function stores(
  config: string,
  environment: Record<string, string>,
  root: string,
  credentials?: { username: string; password: string },
): Promise<void> {
  const port = await freePort();
  const file = path.join(dir.path, `${port}.yml`);
  await copyFile(config, file);
  const binary = await acquireRegistry({ cacheDir: testCacheDir, env: testEnv });
  const service = await startService({
    name: 'registry',
    command: binary.path,
    args: ['serve', file],
    env: {
      PATH: testEnv.PATH,
      ...binary.env,
      ...environment,
      REGISTRY_HTTP_ADDR: `127.0.0.1:${port}`,
      REGISTRY_HTTP_SECRET: 'only for tests',
    },
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilReady(service, () => isHealthy(url));
    const image = await buildImage({ layers: [{ a: root }] });
    await pushImage(url, 'team/app', '1', image, { credentials });
    expect((await fetchManifest(url, 'team/app', '1', { credentials })).status).toBe(200);
    const blob = image.blobs[0]?.descriptor.digest ?? '';
    const authorization = basicAuthorization({ credentials: credentials ?? null });
    const read = await fetch(`${url}/v2/team/app/blobs/${blob}`, {
      headers: new Headers(authorization === undefined ? {} : { authorization }),
      redirect: 'manual',
    });
    expect(read.status).toBe(200);
    await read.body?.cancel();
    const link = path.join(
      store.bucketDir,
      root,
      'docker/registry/v2/repositories/team/app/_manifests/tags/1/current/link',
    );
    expect(await readFile(link, 'utf8')).toBe(image.digest);
  } finally {
    await service.stop();
  }
}

it('compose: deploy/compose/s3.yml', async () => {
  const files = ['docker-compose.yml', 'deploy/compose/s3.yml'].map((file) =>
    path.join(ROOT, file),
  );
  const project = await readCompose(files, {
    SECRETS_DIR: dir.path,
    REGISTRY_S3_BUCKET: store.bucket,
    REGISTRY_S3_ENDPOINT: store.url,
    REGISTRY_S3_ROOT: 'composed',
  });
  const { environment = {}, configs = [] } = project.services.registry ?? {};
  expect(configs.map(({ source, target }) => [source, target])).toEqual([
    ['registry_s3', '/etc/registry/config.yml'],
  ]);
  const given = Object.entries(environment).map(([name, value]) => [
    name,
    (value ?? '').replace(/^\/(run\/secrets|registry-login)/, dir.path),
  ]);
  const config = path.resolve(ROOT, project.configs.registry_s3?.file ?? '');
  const login = path.join(dir.path, 'registry_url');
  await run(process.execPath, [CLI, 'registry-login', path.join(dir.path, 'htpasswd')], {
    env: { PATH: testEnv.PATH, REGISTRY_URL_FILE: login },
  });
  const { credentials } = parseRegistryUrl((await readFile(login, 'utf8')).trim());
  if (!credentials) throw new Error('the URL of the registry contains no password');
  await stores(config, Object.fromEntries(given), 'composed', credentials);
  const expected = JSON.parse(
    registryConfig({
      storage: { type: 's3', bucket: '', region: '' },
      listen: { host: '0.0.0.0', port: 5000 },
      secret: '',
    }),
  );
  delete expected.http.secret;
  expected.storage.s3 = {}; // from the environment
  expect({ ...parse(await readFile(config, 'utf8')), version: '0.1' }).toEqual(expected);
});
