/**
 * podman and buildah, the machine's or unpacked from their Debian packages, with separate storage
 * and settings in the cache, so that layers are built once and the machine's images are left alone.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, fillOnce, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';
import { readBases } from '../../../scripts/bases-command.ts';
import { IS_FOREIGN, TARGET } from './platform.ts';

const TAG = IS_FOREIGN ? `:${TARGET.arch}` : '';
export const API_IMAGE: string = `localhost/portcullis-api${TAG}`;
export const WORKER_IMAGE: string = `localhost/portcullis-worker${TAG}`;
const BASES = readBases();
/**
 * The names in the Dockerfiles and docker-compose.yml, without digests, which substitutes can't
 * have.
 */
export const NODE_IMAGE: string = BASES.node.image;
export const GO_IMAGE: string = BASES.go.image;
export const REGISTRY_IMAGE: string = BASES.registry.image;
export const POSTGRES_IMAGE: string = BASES.postgres.image;
export const REDIS_IMAGE: string = BASES.redis.image;

export const CONTAINERS_DIR: string = path.join(testCacheDir, 'containers');

const program = (name: string, file: string): Program => ({
  names: [name],
  package: name,
  file,
  probe: ['--version'],
});
/** It looks for its container monitor on PATH. */
const PODMAN: Program = {
  ...program('podman', 'usr/bin/podman'),
  unpackedEnv: (root) => ({ PATH: `${path.join(root, 'usr/bin')}:${testEnv.PATH}` }),
};
const BUILDAH = program('buildah', 'usr/bin/buildah');
const PATCHELF = program('patchelf', 'usr/bin/patchelf');
/** podman's package accepts another runtime, which not every machine can run. */
const RUNC = program('runc', 'usr/sbin/runc');
/** It parses its own function list before it prints its version. */
export const DEBOOTSTRAP: Program = {
  ...program('debootstrap', 'usr/sbin/debootstrap'),
  unpackedEnv: (root) => ({ DEBOOTSTRAP_DIR: path.join(root, 'usr/share/debootstrap') }),
};

const STORAGE = [
  ...['--root', path.join(CONTAINERS_DIR, 'storage')],
  ...['--runroot', path.join(CONTAINERS_DIR, 'run')],
  ...['--storage-driver', 'overlay'],
];

export interface Tool {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

async function toolOf(program: Program, args: string[]): Promise<Tool> {
  const { path: command, env } = await acquireBinary(program, {
    cacheDir: testCacheDir,
    env: testEnv,
  });
  return { command, args, env: { ...testEnv, HOME: await settingsHome(), ...env } };
}

/** Neither program starts without a signature policy, which only an installed package provides. */
async function settingsHome(): Promise<string> {
  const home = path.join(CONTAINERS_DIR, 'home');
  const settings = path.join(home, '.config/containers');
  await mkdir(settings, { recursive: true });
  await writeFile(
    path.join(settings, 'policy.json'),
    '{"default":[{"type":"insecureAcceptAnything"}]}',
  );
  return home;
}

async function tool(program: Program, args: string[]): Promise<string> {
  const { command, env } = await toolOf(program, args);
  return run(command, args, { env });
}

export async function debootstrap(arch: string, dir: string): Promise<void> {
  const how = [`--arch=${arch}`, '--variant=minbase', '--include=ca-certificates'];
  await tool(DEBOOTSTRAP, [...how, 'bookworm', dir]);
}

export async function buildah(...args: string[]): Promise<string> {
  const { args: all, env, command } = await toolOf(BUILDAH, [...STORAGE, ...args]);
  return run(await selfStarting({ command, env }), all, { env });
}

/**
 * buildah starts itself again for each command of a build, and podman for the clean-up of an ended
 * container, with an empty environment. For an unpacked program, the path of its libraries is
 * written into a copy.
 */
async function selfStarting({ command, env }: Pick<Tool, 'command' | 'env'>): Promise<string> {
  const { LD_LIBRARY_PATH: libraries } = env;
  if (!command.startsWith(testCacheDir) || libraries === undefined) return command;
  const name = path.basename(command);
  const dir = path.join(CONTAINERS_DIR, name);
  await fillOnce(dir, async (draft) => {
    const copy = path.join(draft, name);
    await cp(command, copy);
    await tool(PATCHELF, ['--force-rpath', '--set-rpath', libraries, copy]);
  });
  return path.join(dir, name);
}

/** Mounts the files of an image. */
export async function mounted<T>(image: string, use: (root: string) => Promise<T>): Promise<T> {
  const container = (await buildah('from', '--pull-never', image)).trim();
  try {
    return await use((await buildah('mount', container)).trim());
  } finally {
    await buildah('rm', container);
  }
}

/** `args` are followed by the container's command. */
export async function podmanTool(): Promise<Tool> {
  const runc = await acquireBinary(RUNC, { cacheDir: testCacheDir, env: testEnv });
  const engine = ['--cgroup-manager=cgroupfs', `--runtime=${runc.path}`, '--events-backend=none'];
  const found = await toolOf(PODMAN, [...STORAGE, ...engine]);
  return { ...found, command: await selfStarting(found) };
}

export async function podman(...args: string[]): Promise<string> {
  const { command, args: fixed, env } = await podmanTool();
  return run(command, [...fixed, ...args], { env });
}

export async function hasImage(name: string): Promise<boolean> {
  return (await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).split('\n').includes(name);
}
