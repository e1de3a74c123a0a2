/** What other projects' clients print at an enforcing folder: refused, waiting, and served. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_POLICY, defaultPolicy, type ScanReport } from '@portcullis/domain';
import { run } from '@portcullis/embedded';
import { publishReports } from '@portcullis/events';
import {
  type ContainerTools,
  containerTools,
  type DockerEngine,
  dockerEngine,
  helmChart,
  kubernetesTools,
  pushImage,
  type RegistryClients,
  randomImage,
  registryClients,
  skopeo,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from './report.fixture.ts';

const CREDENTIALS = { name: 'ann', password: 'pass-of-ann' };
const LOGIN = `${CREDENTIALS.name}:${CREDENTIALS.password}`;

/** Pulls `repository:tag` and returns what the client prints. Rejects with what it prints. */
type Pull = (image: string) => Promise<string>;

let api: TestApi;
/** Without time to wait for a scan. */
let impatient: TestApi;
let tools: ContainerTools;
let engine: DockerEngine;
let dir: TemporaryDir;
let env: NodeJS.ProcessEnv;
let binaries: RegistryClients & { helm: string };
let count = 0;

beforeAll(async () => {
  api = await startApi({ PULL_GATE_WAIT_SECONDS: '50' });
  impatient = await startApi({ PULL_GATE_WAIT_SECONDS: '0' }, api);
  const id = await api.account(CREDENTIALS.name);
  const { id: _id, name: _name, version: _version, ...rules } = defaultPolicy(DEFAULT_POLICY);
  const { id: policyId } = await api.store.policies.insertPolicy({
    name: 'images only',
    rules: { ...rules, artifacts: 'block' },
    savedBy: 'root',
  });
  for (const folder of [{ name: 'prod' }, { name: 'charts', policyId }]) {
    const { folderId } = await api.grant(id, folder.name, { canPull: true });
    await api.store.folders.update(folderId, { ...folder, pullGate: 'enforce' });
  }
  [tools, engine, dir] = await Promise.all([containerTools(), dockerEngine(), temporaryDir()]);
  await engine.login({ [api.host]: LOGIN, [impatient.host]: LOGIN });
  const { helm } = await kubernetesTools();
  binaries = { ...(await registryClients()), helm };
  env = { PATH: process.env.PATH, HOME: dir.path, DOCKER_CONFIG: dir.path };
  const auth = Buffer.from(LOGIN).toString('base64');
  const auths = Object.fromEntries([api, impatient].map(({ host }) => [host, { auth }]));
  await writeFile(join(dir.path, 'config.json'), JSON.stringify({ auths }));
});

afterAll(async () => {
  await tools?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  await impatient?.stop();
  // A run of some tests alone ends before them.
  await Promise.all(Object.values(said));
  await api?.stop();
  await dir?.remove();
});

async function freshDir(): Promise<string> {
  count += 1;
  const path = join(dir.path, `out-${count}`);
  await mkdir(path);
  return path;
}

const pullsFrom = ({ host }: TestApi) =>
  ({
    docker: (image) => engine.docker('pull', `${host}/${image}`),
    ctr: (image) =>
      engine.ctr(
        ...['images', 'pull', '--plain-http', '--user', LOGIN, '--snapshotter', 'native'],
        `${host}/${image}`,
      ),
    podman: (image) =>
      tools.podman('pull', '--tls-verify=false', '--creds', LOGIN, `${host}/${image}`),
    skopeo: async (image) => {
      const from = ['--src-tls-verify=false', '--src-creds', LOGIN, `docker://${host}/${image}`];
      return skopeo('copy', ...from, `dir:${await freshDir()}`);
    },
    crane: async (image) =>
      run(
        binaries.crane,
        ['pull', '--insecure', `${host}/${image}`, `${await freshDir()}/image.tar`],
        {
          env,
        },
      ),
    regctl: async (image) => {
      const { name, password } = CREDENTIALS;
      const login = `reg=${host},user=${name},pass=${password},tls=disabled`;
      const to = `ocidir://${await freshDir()}/layout:1`;
      return run(binaries.regctl, ['--host', login, 'image', 'copy', `${host}/${image}`, to], {
        env,
      });
    },
  }) satisfies Record<string, Pull>;

type ClientName = keyof ReturnType<typeof pullsFrom>;
const CLIENTS: ClientName[] = ['docker', 'ctr', 'podman', 'skopeo', 'crane', 'regctl'];
const REFUSED =
  'blocked by policy "default": 1 critical (CVE-2026-1234 in openssl 3.0.1, fixed in 3.0.2)';
/** containerd prints the status of a refusal alone. */
const PRINTED: Partial<Record<ClientName, string>> = { ctr: '403 Forbidden' };

async function pushed(report: ScanReport | null) {
  const image = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
  count += 1;
  const repository = `prod/app${count}`;
  await pushImage(api.registry.url, repository, '1', image);
  if (report) await record(image, report);
  return { name: `${repository}:1`, repository, image };
}

async function record({ digest }: TestImage, report: ScanReport): Promise<void> {
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
}

/**
 * podman, with the same library as skopeo, asks for three minutes before it prints the same.
 */
const ASKING: [ClientName, RegExp][] = [
  ['skopeo', /the image is being scanned; pull it again in a moment/],
  ['crane', /the image is being scanned; pull it again in a moment/],
  ['regctl', /retry limit exceeded/],
];
/** They ask for most of a minute, while the other tests run. */
const said: Partial<Record<ClientName, Promise<string>>> = {};

beforeAll(async () => {
  for (const [client] of ASKING) {
    const { name } = await pushed(null);
    said[client] = saidBy(pullsFrom(impatient)[client](name));
  }
});

/** What a failed pull prints, without the quotes of log lines. */
function saidBy(pulling: Promise<string>): Promise<string> {
  return pulling.then(
    () => 'pulled',
    (error: Error) => error.message.replaceAll('\\', ''),
  );
}

describe.each(CLIENTS)('%s', (client) => {
  it('pulls what passes', async () => {
    const { name } = await pushed(cleanReport());
    await expect(pullsFrom(api)[client](name)).resolves.toBeDefined();
  });

  it('prints that an image is refused, and why', async () => {
    const { name } = await pushed(blockedReport());
    expect(await saidBy(pullsFrom(api)[client](name))).toContain(PRINTED[client] ?? REFUSED);
  });

  it.each<[string, ScanReport, boolean]>([
    ['is served', cleanReport(), true],
    ['is refused', blockedReport(), false],
  ])('waits for the scan and %s', async (_, report, isServed) => {
    const { name, repository, image } = await pushed(null);
    const pull = pullsFrom(api)
      [client](name)
      .then(
        () => true,
        () => false,
      );
    const scans = async () =>
      (await api.store.scans.list({ registryId: '__local__', repository })).items.length;
    await expect.poll(scans).toBe(1);
    await record(image, report);
    expect(await pull).toBe(isServed);
  });
});

it.each(ASKING)(
  '%s asks again as it was told, and then prints that it has to wait',
  async (client, expected) => {
    expect(await said[client]).toMatch(expected);
  },
);

it.each<[ClientName, RegExp]>([
  ['docker', /the image is being scanned; pull it again in a moment/],
  ['ctr', /429 Too Many Requests/],
])('%s prints at once that it has to wait', async (client, expected) => {
  const { name } = await pushed(null);
  expect(await saidBy(pullsFrom(impatient)[client](name))).toMatch(expected);
});

describe('helm', () => {
  const pull = async (folder: string) => {
    const { name, password } = CREDENTIALS;
    const chart = [
      'pull',
      `oci://${api.host}/${folder}/demo`,
      '--version',
      '1.0.0',
      '--plain-http',
    ];
    const login = ['--username', name, '--password', password];
    return run(binaries.helm, [...chart, ...login, '--destination', await freshDir()], { env });
  };

  it('pulls a chart, which is no image and needs no scan', async () => {
    await pushImage(api.registry.url, 'prod/demo', '1.0.0', await helmChart());
    await expect(pull('prod')).resolves.toContain('Pulled');
  });

  it('prints why a chart is refused where the policy of the folder allows no artifacts', async () => {
    await pushImage(api.registry.url, 'charts/demo', '1.0.0', await helmChart());
    await expect(pull('charts')).rejects.toThrow(/artifacts that are no container images/);
  });
});
