/** podman and buildah with a separate storage that is removed with them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { acquireBinary, type Binary, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { ROOTLESS, rootlessEnv } from '../namespaces.ts';
import { temporaryDir } from '../temporary.ts';

const PODMAN: Program = {
  names: ['podman'],
  package: 'podman',
  file: 'usr/bin/podman',
  probe: ['--version'],
};
const BUILDAH: Program = {
  names: ['buildah'],
  package: 'buildah',
  file: 'usr/bin/buildah',
  probe: ['--version'],
};
/** podman's package accepts another runtime, which not every machine can run. */
export const RUNC: Program = {
  names: ['runc'],
  package: 'runc',
  file: 'usr/sbin/runc',
  probe: ['--version'],
};

export interface ContainerTools {
  /** Their storage; tests may put files here. */
  dir: string;
  /** Both return the output. @throws unavailable `TOOL_FAILED` */
  podman(...args: string[]): Promise<string>;
  buildah(...args: string[]): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function containerTools(): Promise<ContainerTools> {
  const dir = await temporaryDir();
  const options = { cacheDir: testCacheDir, env: testEnv };
  const podman = await acquireBinary(PODMAN, options);
  const home = await homeIn(dir.path, podman);
  const buildah = await acquireBinary(BUILDAH, options);
  const runc = await acquireBinary(RUNC, options);
  const storage = ['--root', at('storage'), '--runroot', at('run'), '--storage-driver', 'vfs'];
  const engine = [
    '--tmpdir',
    at('tmp'),
    '--cgroup-manager=cgroupfs',
    `--runtime=${runc.path}`,
    '--events-backend=none',
  ];

  function at(name: string): string {
    return join(dir.path, name);
  }
  const use = (binary: Binary, args: string[]) => {
    const [command = '', ...rest] = [...ROOTLESS, binary.path, ...args];
    return run(command, rest, {
      env: { ...testEnv, ...binary.env, ...home, ...rootlessEnv(home.HOME), PATH: pathOf(binary) },
      cwd: dir.path,
    });
  };
  const buildahIn = (...args: string[]) => use(buildah, [...storage, ...args]);

  return {
    dir: dir.path,
    podman: (...args) => use(podman, [...storage, ...engine, ...args]),
    buildah: buildahIn,
    async [Symbol.asyncDispose]() {
      await buildahIn('rm', '--all');
      await makeRemovable(dir.path);
      await dir.remove();
    },
  };
}

/** Configuration without any of the machine's settings or default registries. */
async function homeIn(
  dir: string,
  podman: Binary,
): Promise<{ HOME: string; [variable: string]: string }> {
  const files = {
    CONTAINERS_REGISTRIES_CONF: ['registries.conf', 'unqualified-search-registries = []\n'],
    REGISTRY_AUTH_FILE: ['auth.json', '{}'],
    CONTAINERS_CONF: ['containers.conf', `[engine]\nconmon_env_vars = ${monitorEnv(podman)}\n`],
  } as const;
  const config = join(dir, '.config', 'containers');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}');
  const entries = Object.entries(files).map(async ([variable, [name, text]]) => {
    await writeFile(join(dir, name), text, { mode: 0o600 });
    return [variable, join(dir, name)];
  });
  return { HOME: dir, ...Object.fromEntries(await Promise.all(entries)) };
}

/** podman starts conmon with these variables alone: an unpacked one needs its libraries. */
function monitorEnv({ env }: Binary): string {
  const { PATH } = testEnv;
  const { LD_LIBRARY_PATH } = env;
  const needed = Object.entries({ PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) });
  return JSON.stringify(needed.map(([name, value]) => `${name}=${value}`));
}

/** An ordinary account can't delete from a directory that only root of the namespace may write. */
async function makeRemovable(dir: string): Promise<void> {
  const [command, ...args] = ROOTLESS;
  if (command !== undefined) await run(command, [...args, 'chmod', '-R', 'u+rwX', dir]);
}

/** conmon and other helpers are in the tree of a podman that was unpacked. */
function pathOf({ path }: Binary): string {
  return [dirname(path), testEnv.PATH].join(delimiter);
}
