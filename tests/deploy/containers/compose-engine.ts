/**
 * Docker Compose, built from its Go module, on podman's socket: the same program as users have, on
 * another engine.
 */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, type Program, run, startService, untilReady } from '@portcullis/embedded';
import { goProgram, testCacheDir, testEnv } from '@portcullis/testing';
import { CONTAINERS_DIR, podmanTool } from './engine.ts';

export interface ComposeEngine {
  /** The environment in which `docker compose` is found and reaches the engine. */
  env: Record<string, string>;
  podman(...args: string[]): Promise<string>;
  /** Runs the `iptables` that has netavark's rules. */
  iptables(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** `dir` contains its files and is removed with it. */
export async function startComposeEngine(dir: string): Promise<ComposeEngine> {
  const settings = path.join(CONTAINERS_DIR, 'containers.conf');
  await writeFile(settings, await containersConf());
  const { command, args, env } = await podmanTool();
  const firewall = await firewallEnv(path.join(dir, 'firewall'), env);
  const engineEnv = { ...env, ...firewall, CONTAINERS_CONF: settings };
  const podman = (...words: string[]) => run(command, [...args, ...words], { env: engineEnv });
  const iptables = (...words: string[]) => run('iptables', words, { env: engineEnv });
  const socket = `unix://${path.join(dir, 'engine.sock')}`;
  const service = await startService({
    name: 'podman',
    command,
    args: [...args, 'system', 'service', '--time=0', socket],
    env: engineEnv,
  });
  const docker = await dockerCommand(path.join(dir, 'bin'));
  const clientEnv = { PATH: `${docker}:${testEnv.PATH}`, HOME: dir, DOCKER_HOST: socket };
  await untilReady(service, () =>
    run('docker', ['compose', 'ls'], { env: clientEnv }).then(
      () => true,
      () => false,
    ),
  );
  return { env: clientEnv, podman, iptables, stop: () => service.stop() };
}

/** netavark starts `iptables`, a name that only the installed package provides. */
async function firewallEnv(
  dir: string,
  around: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  const { path: found, env } = await acquireBinary(IPTABLES, {
    cacheDir: testCacheDir,
    env: testEnv,
  });
  if (!found.startsWith(testCacheDir)) return {};
  await mkdir(dir);
  for (const name of [
    'iptables',
    'ip6tables',
    'iptables-save',
    'ip6tables-save',
    'iptables-restore',
  ])
    await symlink(found, path.join(dir, name));
  const joined = (name: string, own = '') =>
    [own, around[name]].filter(Boolean).join(path.delimiter);
  const LD_LIBRARY_PATH = joined('LD_LIBRARY_PATH', env.LD_LIBRARY_PATH);
  return { ...env, PATH: joined('PATH', dir), LD_LIBRARY_PATH };
}

/** A directory for PATH whose `docker compose` is the one we built. */
async function dockerCommand(dir: string): Promise<string> {
  await mkdir(dir);
  const docker = path.join(dir, 'docker');
  const compose = await goProgram('docker-compose');
  await writeFile(docker, `#!/bin/sh\nshift\nexec ${compose} "$@"\n`);
  await chmod(docker, 0o755);
  return dir;
}

const part = (name: string, folder: string): Program => ({
  names: [name],
  package: name,
  file: `usr/${folder}/${name}`,
  probe: ['--version'],
});
const NETWORK_PARTS = [part('netavark', 'lib/podman'), part('aardvark-dns', 'lib/podman')];
const IPTABLES: Program = {
  names: ['iptables'],
  package: 'iptables',
  file: 'usr/sbin/xtables-nft-multi',
  probe: ['iptables', '--version'],
  unpackedEnv: (root) => ({
    XTABLES_LIBDIR: path.join(root, 'usr/lib', LIBRARIES[process.arch] ?? '', 'xtables'),
  }),
};
const LIBRARIES: Record<string, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const INIT = part('catatonit', 'bin');

/**
 * Networks with name resolution between containers, and limits of open files and processes within
 * those of this machine.
 */
async function containersConf(): Promise<string> {
  // The directories in which they are installed aren't on PATH.
  const env = { ...testEnv, PATH: `/usr/lib/podman:${testEnv.PATH}` };
  const placeOf = async (each: Program) =>
    (await acquireBinary(each, { cacheDir: testCacheDir, env })).path;
  const helpers = (await Promise.all(NETWORK_PARTS.map(placeOf))).map((place) =>
    path.dirname(place),
  );
  return `
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=1000:1000"]
[engine]
init_path = ${JSON.stringify(await placeOf(INIT))}
helper_binaries_dir = ${JSON.stringify(helpers)}
[network]
network_backend = "netavark"
network_config_dir = ${JSON.stringify(path.join(CONTAINERS_DIR, 'networks'))}
`;
}
