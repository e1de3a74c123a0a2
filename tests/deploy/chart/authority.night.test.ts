/**
 * A private certificate authority reaches every container of the chart, and the migrations of the
 * hook connect to PostgreSQL with it.
 */
import { once } from 'node:events';
import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import {
  kubernetesTools,
  makeCertificate,
  openSql,
  startPostgres,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, containersOf, podsOf } from '../../support/helm-chart.ts';
import { FILES, type Helm, openHelm } from './values-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const JOBS = ['backup.enabled=true', 'restore.file=any.tar'];
const BUNDLE = 'caBundle.existingSecret=authorities';

let helm: Helm;

beforeAll(async () => {
  helm = await openHelm();
});
afterAll(() => helm?.[Symbol.asyncDispose]());

function variableOf(container: Container | undefined, name: string): string | undefined {
  return container?.env?.find((each) => each.name === name)?.value;
}

describe.each(FILES)('with the values %s', (file) => {
  it('every container of every pod has the bundle', async () => {
    const pods = podsOf(await helm.objects(file, BUNDLE, ...JOBS));
    const components = pods.map(({ labels }) => labels['app.kubernetes.io/component']);
    expect(components).toEqual(expect.arrayContaining(['migrate', 'backup', 'restore', 'test']));
    for (const { name, spec } of pods) {
      const volume = spec.volumes?.find((each) => each.secret?.secretName === 'authorities');
      const [item] = volume?.secret?.items ?? [];
      for (const container of containersOf(spec)) {
        const where = `${name}/${container.name}`;
        const mount = container.volumeMounts?.find((each) => each.name === volume?.name);
        expect(mount, where).toMatchObject({ readOnly: true });
        const bundle = `${mount?.mountPath}/${item?.path}`;
        expect(variableOf(container, 'NODE_EXTRA_CA_CERTS'), where).toBe(bundle);
        expect(variableOf(container, 'SSL_CERT_DIR')?.split(':'), where).toContain(
          mount?.mountPath,
        );
      }
    }
  });

  it('every process with the database has the settings and the files of all processes', async () => {
    const given = ['extraEnv[0].name=EXAMPLE', 'extraEnv[0].value=a', 'config.LOG_LEVEL=debug'];
    const added = ['secretFiles[0].name=ADDED', 'secretFiles[0].secret=s', 'secretFiles[0].key=k'];
    const pods = podsOf(await helm.objects(file, ...given, ...added, ...JOBS));
    const users = pods.flatMap(({ spec }) =>
      spec.containers.filter((each) => variableOf(each, 'DATABASE_URL_FILE') !== undefined),
    );
    expect(users.length).toBeGreaterThan(5);
    for (const user of users) {
      expect(variableOf(user, 'EXAMPLE'), user.name).toBe('a');
      expect(variableOf(user, 'LOG_LEVEL'), user.name).toBe('debug');
      expect(variableOf(user, 'ADDED_FILE'), user.name).toBe('/run/secrets/portcullis/ADDED');
    }
  });
});

it('no variable of a container is set twice, where an operator sets one of the bundle', async () => {
  const own = ['extraEnv[0].name=NODE_EXTRA_CA_CERTS', 'extraEnv[0].value=/own'];
  for (const { name, spec } of podsOf(await helm.objects('per-worker', BUNDLE, ...own)))
    for (const { env = [] } of spec.containers)
      expect(env.length, name).toBe(new Set(env.map((each) => each.name)).size);
});

it("a Go program trusts the bundle in addition to the image's authorities, as Kubernetes mounts it", async () => {
  await using parts = new AsyncDisposableStack();
  const authority = makeCertificate();
  const server = createServer({ key: authority.key, cert: authority.certificate }, (_, response) =>
    response.writeHead(404).end(),
  );
  parts.defer(() => server[Symbol.asyncDispose]());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const dir = await temporaryDir();
  parts.defer(() => dir.remove());
  await mkdir(path.join(dir.path, '..2026'));
  await writeFile(path.join(dir.path, '..2026/ca.crt'), authority.certificate);
  await symlink('..2026', path.join(dir.path, '..data'));
  await symlink('..data/ca.crt', path.join(dir.path, 'ca.crt'));
  const pods = podsOf(await helm.objects('bucket', BUNDLE));
  const registry = pods.find(({ name }) => name === 'rel-portcullis-registry');
  const rendered = variableOf(registry?.spec.containers[0], 'SSL_CERT_DIR') ?? '';
  const trusted = rendered.replace('/run/secrets/ca-bundle', dir.path);
  const tools = await kubernetesTools();
  const fetched = (authorities: string) =>
    run(tools.helm, ['show', 'chart', `https://127.0.0.1:${port}/a.tgz`], {
      env: { HOME: dir.path, SSL_CERT_DIR: authorities },
    });
  await expect(fetched(trusted)).rejects.toThrow('404');
  await expect(fetched('/etc/ssl/certs')).rejects.toThrow('x509');
});

describe('the hook of the migrations, at a PostgreSQL with a certificate of a private authority', () => {
  it.each([
    { sets: [BUNDLE], outcome: 'reaches it with the bundle', succeeds: true },
    { sets: [], outcome: 'does not trust it without', succeeds: false },
  ])('$outcome', async ({ sets, succeeds }) => {
    await using parts = new AsyncDisposableStack();
    const authority = makeCertificate();
    const postgres = parts.use(await startPostgres());
    await useTls(postgres.url, authority);
    const dir = await temporaryDir();
    parts.defer(() => dir.remove());
    const mounted = { '/run/secrets/portcullis': 'secrets', '/run/secrets/ca-bundle': 'ca' };
    for (const folder of Object.values(mounted)) await mkdir(path.join(dir.path, folder));
    const url = `${postgres.url}?sslmode=verify-full`;
    await writeFile(path.join(dir.path, 'secrets/DATABASE_URL'), url);
    await writeFile(path.join(dir.path, 'ca/ca.crt'), authority.certificate);
    const hook = podsOf(await helm.objects('minimal', ...sets)).find(
      ({ name }) => name === 'rel-portcullis-migrate',
    );
    const env = Object.fromEntries(
      (hook?.spec.containers[0]?.env ?? []).map(({ name, value = '' }) => [
        name,
        Object.entries(mounted).reduce(
          (text, [from, to]) => text.replaceAll(from, path.join(dir.path, to)),
          value,
        ),
      ]),
    );
    const migrated = run(process.execPath, ['apps/cli/src/main.ts', 'migrate'], {
      cwd: ROOT,
      env: { ...env, PATH: process.env.PATH, HOME: dir.path },
    });
    if (succeeds) expect(await migrated).toMatch(/^applied /);
    else await expect(migrated).rejects.toThrow(/certificate/);
  });
});

/** Where the server reads them, owned by its account. */
async function useTls(
  url: string,
  { certificate, key }: ReturnType<typeof makeCertificate>,
): Promise<void> {
  const database = await openSql(url);
  const { rows } = await database.query('SHOW data_directory');
  const folder: string = rows[0].data_directory;
  const { uid, gid } = await stat(folder);
  for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
    await writeFile(path.join(folder, name), text, { mode: 0o600 });
    await chown(path.join(folder, name), uid, gid);
    await chmod(path.join(folder, name), 0o600);
  }
  await database.query('ALTER SYSTEM SET ssl = on');
  await database.query('SELECT pg_reload_conf()');
  const isOn = async () => (await database.query('SHOW ssl')).rows[0].ssl;
  await expect.poll(isOn).toBe('on');
  await database.end();
}
