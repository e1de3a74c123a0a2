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
  pushImage,
  type RegistryClients,
  registryClients,
  skopeo,
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
    const said = PRINTED[client] ?? 'Blocked by policy';
    await expect(pull(`up/${client}/flawed:1`)).rejects.toThrow(said);
    expect(await site.jobsOf(`${client}/flawed`)).toMatchObject([{ status: 'failed' }]);
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
