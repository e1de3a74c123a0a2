/** Mirrors with clients and upstreams of other projects: what is served, and what is refused. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import {
  type ContainerTools,
  containerTools,
  type DockerEngine,
  debianImage,
  dockerEngine,
  json,
  pushImage,
  type RegistryClients,
  registryClients,
  skopeo,
  startBuildkit,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANDIDATES } from '../../interop/candidates.ts';
import { type MirrorSite, openMirrorSite } from './mirror-site.ts';

const LOGIN = 'dev:pass-of-dev';

let site: MirrorSite;
let tools: ContainerTools;
let engine: DockerEngine;
let clients: RegistryClients;
let dir: TemporaryDir;
let env: NodeJS.ProcessEnv;
let count = 0;

beforeAll(async () => {
  site = await openMirrorSite();
  await site.mirror('up');
  [tools, engine, dir] = await Promise.all([containerTools(), dockerEngine(), temporaryDir()]);
  clients = await registryClients();
  await engine.login({ [site.api.host]: LOGIN });
  env = { PATH: process.env.PATH, HOME: dir.path, DOCKER_CONFIG: dir.path };
  const auths = { [site.api.host]: { auth: Buffer.from(LOGIN).toString('base64') } };
  await writeFile(join(dir.path, 'config.json'), JSON.stringify({ auths }));
});
afterAll(async () => {
  await tools?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  await dir?.remove();
});

async function freshDir(): Promise<string> {
  const path = join(dir.path, `out-${++count}`);
  await mkdir(path);
  return path;
}

/** Pulls `repository:tag`. Rejects with what the client prints. */
const PULLS: Record<string, (image: string) => Promise<string>> = {
  docker: (image) => engine.docker('pull', `${site.api.host}/${image}`),
  ctr: (image) =>
    engine.ctr(
      ...['images', 'pull', '--plain-http', '--user', LOGIN, '--snapshotter', 'native'],
      `${site.api.host}/${image}`,
    ),
  podman: (image) =>
    tools.podman('pull', '--tls-verify=false', '--creds', LOGIN, `${site.api.host}/${image}`),
  async skopeo(image) {
    const from = ['--src-tls-verify=false', '--src-creds', LOGIN];
    return skopeo('copy', ...from, `docker://${site.api.host}/${image}`, `dir:${await freshDir()}`);
  },
  async crane(image) {
    const to = `${await freshDir()}/image.tar`;
    return run(clients.crane, ['pull', '--insecure', `${site.api.host}/${image}`, to], { env });
  },
};
const CLIENTS = Object.keys(PULLS);
/** containerd prints the status of a refusal alone. */
const PRINTED: Record<string, string> = { ctr: '403 Forbidden' };

describe.each(CLIENTS)('%s', (client) => {
  const pull = (image: string) => PULLS[client]?.(image);

  it('is served a clean image at its first pull', async () => {
    await site.publish(`${client}/clean`, '1', 'clean');
    await pull(`up/${client}/clean:1`);
    expect(await site.jobsOf(`${client}/clean`)).toMatchObject([{ status: 'pushed' }]);
  });

  it('is told why a blocked image is refused', async () => {
    await site.publish(`${client}/flawed`, '1', 'flawed');
    const said = PRINTED[client] ?? /Blocked by policy .* tries it again at a pull after /;
    await expect(pull(`up/${client}/flawed:1`)).rejects.toThrow(said);
    expect(await site.jobsOf(`${client}/flawed`)).toMatchObject([{ status: 'failed' }]);
  });
});

/** The files that the page shows, for the registry that the folder `up` mirrors. */
async function filesFor(client: string): Promise<string[]> {
  const address = `/api/folders/up/mirror/config?client=${client}`;
  const { files } = await json(site.admin.get(address));
  return files.map(({ text }: { text: string }) => text);
}

async function fileFor(client: string): Promise<string> {
  const [file = ''] = await filesFor(client);
  return file;
}

/** Pulls by the name at the upstream, which is reachable, with or without the file. */
const NAMED_PULLS: Record<string, (image: string, hasFile: boolean) => Promise<string>> = {
  async ctr(image, hasFile) {
    const hosts = join(dir.path, 'certs.d');
    await mkdir(join(hosts, site.upstream.host), { recursive: true });
    await writeFile(join(hosts, site.upstream.host, 'hosts.toml'), await fileFor('containerd'));
    return engine.ctr(
      ...['images', 'pull', '--user', LOGIN, '--snapshotter', 'native'],
      ...(hasFile ? ['--hosts-dir', hosts] : ['--plain-http']),
      `${site.upstream.host}/${image}`,
    );
  },
  async podman(image, hasFile) {
    const conf = `unqualified-search-registries = []\n${hasFile ? await fileFor('podman') : ''}`;
    await writeFile(join(tools.dir, 'registries.conf'), conf);
    const [user = '', password = ''] = LOGIN.split(':');
    const login = ['--tls-verify=false', '--username', user, '--password', password];
    await tools.podman('login', ...login, site.api.host);
    const plain = hasFile ? [] : ['--tls-verify=false'];
    return tools.podman('pull', ...plain, `${site.upstream.host}/${image}`);
  },
  async skopeo(image, hasFile) {
    const conf = join(dir.path, 'skopeo.conf');
    await writeFile(conf, hasFile ? await fileFor('podman') : '');
    return skopeo(
      ...['--registries-conf', conf, 'copy', '--src-authfile', join(dir.path, 'config.json')],
      ...(hasFile ? [] : ['--src-tls-verify=false']),
      ...[`docker://${site.upstream.host}/${image}`, `dir:${await freshDir()}`],
    );
  },
  async buildkit(image, hasFile) {
    const [policy = '', config = ''] = await filesFor('buildkit');
    await using buildkit = await startBuildkit(config, dir.path);
    return await buildkit.buildFrom(`${site.upstream.host}/${image}`, hasFile ? policy : null);
  },
};

describe.each(Object.keys(NAMED_PULLS))('%s with its file', (client) => {
  const pull = (image: string, hasFile: boolean) => NAMED_PULLS[client]?.(image, hasFile);

  it('is served a clean image by the name that it has at the upstream', async () => {
    await site.publish(`named-${client}/clean`, '1', 'clean');
    await pull(`named-${client}/clean:1`, true);
    expect(await site.jobsOf(`named-${client}/clean`)).toMatchObject([{ status: 'pushed' }]);
  });

  it('does not obtain a refused image, which the upstream would serve', async () => {
    await site.publish(`named-${client}/flawed`, '1', 'flawed');
    await expect(pull(`named-${client}/flawed:1`, true)).rejects.toThrow();
    expect(await site.jobsOf(`named-${client}/flawed`)).toMatchObject([{ status: 'failed' }]);
    await pull(`named-${client}/flawed:1`, false);
  });
});

describe.each(CANDIDATES)('an upstream that is $name', ({ name, start }) => {
  it('is mirrored, and what is here is served after it has stopped', async () => {
    const folder = `of-${name.replaceAll(/[^a-z0-9]+/g, '-')}`;
    const registry = await start();
    let isStopped = false;
    try {
      const url = new URL(registry.url);
      const image = await debianImage({ packages: [{ name: 'tzdata', version: '2024a-0' }] });
      await pushImage(registry.url, 'lib/app', '1', image);
      await site.mirror(folder, { registry_id: await site.saveRegistry(url.host) });
      const read = await site.read(`${folder}/lib/app/manifests/1`);
      expect([read.status, read.headers.get('docker-content-digest')]).toEqual([200, image.digest]);
      expect((await site.read(`${folder}/lib/app/manifests/2`)).status).toBe(404);
      await registry.stop();
      isStopped = true;
      await expect
        .poll(async () => {
          await site.due();
          const after = await site.read(`${folder}/lib/app/manifests/1`);
          return [after.status, after.headers.get('warning')];
        })
        .toEqual([200, expect.any(String)]);
      expect((await site.read(`${folder}/lib/app/manifests/3`)).status).toBe(503);
    } finally {
      if (!isStopped) await registry.stop();
    }
  });
});
