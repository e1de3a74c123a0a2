/**
 * Platforms of a mirror with clients of other projects, through a backup and its restore, with the
 * processes killed, and over a registry that takes no index without all of its platforms.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import { digestOf } from '@portcullis/oci';
import {
  type ContainerTools,
  containerTools,
  createDatabase,
  eventually,
  fetchManifest,
  json,
  registryClients,
  skopeo,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../../../apps/api/src/api.fixture.ts';
import { callCli } from '../../../apps/cli/src/call.fixture.ts';
import { type MirrorSite, openMirrorSite, SECRET_KEY } from './mirror-site.ts';

const LOGIN = 'dev:pass-of-dev';
const SETTINGS = { platforms: ['linux/amd64'] };

const childrenOf = ({ children: [amd64, arm64] }: TestImage) => {
  if (!amd64 || !arm64) throw new Error('the index has two images');
  return { amd64, arm64 };
};

describe('a mirror with platforms', () => {
  let site: MirrorSite;
  let tools: ContainerTools;
  let crane: string;
  let dir: TemporaryDir;
  let count = 0;

  beforeAll(async () => {
    site = await openMirrorSite();
    await site.mirror('some', SETTINGS);
    [tools, dir] = await Promise.all([containerTools(), temporaryDir()]);
    ({ crane } = await registryClients());
  });
  afterAll(async () => {
    await tools?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    await dir?.remove();
  });

  async function freshDir(): Promise<string> {
    const path = join(dir.path, `out-${++count}`);
    await mkdir(path);
    return path;
  }

  const FROM = ['--src-tls-verify=false', '--src-creds', LOGIN];
  const env = () => ({ PATH: process.env.PATH, HOME: dir.path, DOCKER_CONFIG: dir.path });
  const signIn = () => {
    const [user = '', password = ''] = LOGIN.split(':');
    const login = ['auth', 'login', site.api.host, '-u', user, '-p', password];
    return run(crane, login, { env: env() });
  };

  /** Pulls a tag for one architecture. Rejects with what the client prints. */
  const PULLS: Record<string, (image: string, architecture: string) => Promise<string>> = {
    podman: (image, architecture) =>
      tools.podman(
        ...['pull', '--arch', architecture, '--tls-verify=false', '--creds', LOGIN],
        `${site.api.host}/${image}`,
      ),
    skopeo: async (image, architecture) =>
      skopeo(
        ...['--override-arch', architecture, 'copy', ...FROM],
        ...[`docker://${site.api.host}/${image}`, `dir:${await freshDir()}`],
      ),
    async crane(image, architecture) {
      await signIn();
      const to = `${await freshDir()}/image.tar`;
      const platform = ['--platform', `linux/${architecture}`];
      const args = ['pull', '--insecure', ...platform, `${site.api.host}/${image}`, to];
      return run(crane, args, { env: env() });
    },
  };

  it.each(Object.entries(PULLS))(
    'serves %s the platform that it asks for, and refuses another one',
    async (client, pull) => {
      const { digest, ...index } = await site.publishIndex(`${client}/clean`, '1');
      const { arm64 } = childrenOf({ digest, ...index });
      await pull(`some/${client}/clean:1`, 'amd64');
      expect(await site.jobsOf(`${client}/clean`)).toHaveLength(1);
      await pull(`some/${client}/clean:1`, 'arm64');
      expect(await site.jobsOf(`${client}/clean`, arm64.digest)).toMatchObject([
        { status: 'pushed' },
      ]);
      await site.publishIndex(`${client}/half`, '1', ['clean', 'flawed']);
      await pull(`some/${client}/half:1`, 'amd64');
      await expect(pull(`some/${client}/half:1`, 'arm64')).rejects.toThrow(/Blocked by policy/);
      await pull(`some/${client}/half:1`, 'amd64');
    },
  );

  it('gives a client that copies all platforms what its publisher has', async () => {
    const { digest } = await site.publishIndex('lib/all', '1');
    await using elsewhere = await startRegistry();
    const [from, to] = [site.api.host, elsewhere.host].map(
      (host) => `docker://${host}/some/lib/all:1`,
    );
    const all = ['copy', '--all', '--preserve-digests', '--dest-tls-verify=false', ...FROM];
    await skopeo(...all, from ?? '', to ?? '');
    const copied = await fetchManifest(elsewhere.url, 'some/lib/all', '1');
    expect(await digestOf(copied.body)).toBe(digest);
  });

  it('is in a backup as it is, and its restore serves what was here, and asks the upstream for the rest', async () => {
    const index = await site.publishIndex('lib/backup', '1');
    const { amd64, arm64 } = childrenOf(index);
    await site.read('some/lib/backup/manifests/1');
    const file = join(dir.path, 'backup.tar');
    const { env: ofSite } = site.api.surroundings;
    const settings = { ...ofSite, SECRET_KEY };
    expect(await callCli(['backup', file], { env: settings })).toMatchObject({ code: 0 });
    const [database, redis] = await Promise.all([createDatabase(), startRedis()]);
    await using there = await temporaryDir();
    const storage = join(there.path, 'images');
    const restored = {
      ...settings,
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url },
      ...{ DATA_DIR: there.path, REGISTRY_STORAGE: storage },
    };
    expect(await callCli(['restore', file], { env: restored })).toMatchObject({ code: 0, err: '' });
    await using registry = await startRegistry({ storageDir: storage });
    const api = await startApi(
      { ...restored, REGISTRY_URL: registry.url, DOCKERHUB_HOST: site.upstream.host },
      site.api,
    );
    try {
      const of = (reference: string) =>
        site.read(`some/lib/backup/manifests/${reference}`, { from: api });
      for (const reference of ['1', index.digest, amd64.digest])
        expect((await of(reference)).status).toBe(200);
      site.upstream.behaviour = { lose: () => 'request' as const };
      expect((await of(arm64.digest)).status).toBe(503);
    } finally {
      site.upstream.behaviour = {};
      await api.stop();
      await Promise.all([database.stop(), redis.stop()]);
    }
  });

  it('stores no platform that was not judged, whenever the worker is killed', async () => {
    const index = await site.publishIndex('lib/killed', '1', ['clean', 'flawed']);
    const { arm64 } = childrenOf(index);
    await site.read('some/lib/killed/manifests/1');
    const path = `some/lib/killed/manifests/${arm64.digest}`;
    const own = arm64.blobs.at(-1)?.descriptor.digest;
    let { worker } = site;
    for (const status of ['pulling', 'scan_queued', 'scanning']) {
      const asked = site.read(path, { by: 'root' });
      await eventually(
        () => site.jobsOf('lib/killed', arm64.digest),
        (jobs) => jobs.some((job) => job.status === status || job.status === 'failed'),
      );
      await worker.kill('SIGKILL');
      for (const reference of [`manifests/${arm64.digest}`, `blobs/${own}`])
        expect(
          (await fetch(`${site.api.registry.url}/v2/some/lib/killed/${reference}`)).status,
        ).toBe(404);
      worker = await site.startWorker();
      expect([403, 429]).toContain((await asked).status);
    }
    await expect.poll(async () => (await site.read(path)).status).toBe(403);
    expect(await site.jobsOf('lib/killed', arm64.digest)).toHaveLength(1);
  });
});

describe('over distribution 2.8', () => {
  it('the index is reduced to the platforms, never stored in half, and the list says so', async () => {
    await using registry = await startRegistry({ isOld: true });
    const { url, storageDir } = registry;
    await using site = await openMirrorSite(
      {},
      { REGISTRY_URL: url, REGISTRY_STORAGE: storageDir },
    );
    await site.mirror('one', SETTINGS);
    await site.mirror('two', { platforms: ['linux/amd64', 'linux/s390x'] });
    const index = await site.publishIndex('lib/old', '1');
    const { amd64, arm64 } = childrenOf(index);
    for (const folder of ['one', 'two']) {
      const served = await site.read(`${folder}/lib/old/manifests/1`);
      expect([served.status, served.headers.get('docker-content-digest')]).toEqual([
        200,
        amd64.digest,
      ]);
      await site.due();
      const again = await site.read(`${folder}/lib/old/manifests/1`);
      expect([again.status, again.headers.get('warning')]).toEqual([200, null]);
      const stored = await fetchManifest(url, `${folder}/lib/old`, index.digest);
      expect(stored.status).toBe(404);
      const { items } = await json(site.admin.get(`/api/folders/${folder}/mirror/tags`));
      expect(items).toMatchObject([
        { state: 'current', digest: amd64.digest, upstream_digest: index.digest, reduced: true },
      ]);
    }
    expect(await site.jobsOf('lib/old')).toHaveLength(2);
    expect(site.worker.lines.join()).toContain('takes no index without all of its platforms');
    expect((await site.read(`one/lib/old/manifests/${arm64.digest}`)).status).toBe(200);
    // A digest can't be reduced: all of its platforms are brought in.
    const whole = await site.read(`one/lib/old/manifests/${index.digest}`);
    expect([whole.status, whole.headers.get('docker-content-digest')]).toEqual([200, index.digest]);
  });
});
