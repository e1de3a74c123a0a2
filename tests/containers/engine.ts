/** podman and buildah with a storage of their own in the cache, so that layers are built once and nobody else's are touched. */
import path from 'node:path';
import { acquireBinary, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';
import { readBases } from '../../scripts/bases-command.ts';
import { IS_FOREIGN, TARGET } from './platform.ts';

const TAG = IS_FOREIGN ? `:${TARGET.arch}` : '';
export const API_IMAGE: string = `localhost/portcullis-api${TAG}`;
export const WORKER_IMAGE: string = `localhost/portcullis-worker${TAG}`;
const BASES = readBases();
/** Named as the Dockerfiles and docker-compose.yml have them, without the digests, which stand-ins can't have. */
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
const PODMAN = program('podman', 'usr/bin/podman');
const BUILDAH = program('buildah', 'usr/bin/buildah');
/** podman's package is content with another runtime, which not every machine can run. */
const RUNC = program('runc', 'usr/sbin/runc');
const DEBOOTSTRAP = program('debootstrap', 'usr/sbin/debootstrap');

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
  const { path: command, env } = await acquireBinary(program, { cacheDir: testCacheDir, env: testEnv });
  // Read by one of them: where it was unpacked, its scripts lie beside it.
  const scripts = path.resolve(command, '../../share/debootstrap');
  return { command, args, env: { ...testEnv, DEBOOTSTRAP_DIR: scripts, ...env } };
}

async function tool(program: Program, args: string[]): Promise<string> {
  const { command, env } = await toolOf(program, args);
  return run(command, args, { env });
}

/** A Debian of the fewest packages. */
export async function debootstrap(arch: string, dir: string): Promise<void> {
  const how = [`--arch=${arch}`, '--variant=minbase', '--include=ca-certificates'];
  await tool(DEBOOTSTRAP, [...how, 'bookworm', dir]);
}

export function buildah(...args: string[]): Promise<string> {
  return tool(BUILDAH, [...STORAGE, ...args]);
}

/** Lends the files of an image. */
export async function mounted<T>(image: string, use: (root: string) => Promise<T>): Promise<T> {
  const container = (await buildah('from', '--pull-never', image)).trim();
  try {
    return await use((await buildah('mount', container)).trim());
  } finally {
    await buildah('rm', container);
  }
}

/** Its command comes after `args`. */
export async function podmanTool(): Promise<Tool> {
  const runc = await acquireBinary(RUNC, { cacheDir: testCacheDir, env: testEnv });
  const engine = ['--cgroup-manager=cgroupfs', `--runtime=${runc.path}`, '--events-backend=none'];
  return toolOf(PODMAN, [...STORAGE, ...engine]);
}

export async function podman(...args: string[]): Promise<string> {
  const { command, args: fixed, env } = await podmanTool();
  return run(command, [...fixed, ...args], { env });
}

export async function hasImage(name: string): Promise<boolean> {
  return (await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).split('\n').includes(name);
}
