/**
 * Stand-ins for the images that the Dockerfiles begin with, for machines that reach no registry: Debian's own packages,
 * with the Node and npm, or the Go, that this machine has. Tagged with the names they stand in for.
 */
import { cp, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { exists, run } from '@portcullis/embedded';
import { testEnv } from '@portcullis/testing';
import {
  buildah,
  CONTAINERS_DIR,
  debootstrap,
  GO_IMAGE,
  hasImage,
  NODE_IMAGE,
  POSTGRES_IMAGE,
  REDIS_IMAGE,
  REGISTRY_IMAGE,
} from './engine.ts';

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function ensureBaseImages(): Promise<void> {
  if (!(await hasImage(NODE_IMAGE))) await image({ from: 'scratch', tag: NODE_IMAGE, config: NODE }, addNode);
  if (!(await hasImage(GO_IMAGE))) await image({ from: NODE_IMAGE, tag: GO_IMAGE, config: GO }, addGo);
  await standIn('registry', REGISTRY_IMAGE);
}

/** What docker-compose.yml runs beside our own. */
export async function ensureServiceImages(): Promise<void> {
  await standIn('postgres', POSTGRES_IMAGE);
  await standIn('redis', REDIS_IMAGE);
}

async function standIn(target: string, tag: string): Promise<void> {
  const lent = ['--volume', '/etc/hosts:/etc/hosts:ro'];
  const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--layers', ...lent];
  await buildah('bud', ...how, '--target', target, '--tag', tag, path.join(import.meta.dirname, 'stand-ins'));
}

interface Recipe {
  from: string;
  tag: string;
  config: string[];
}

const NODE = [
  ...['--env', `PATH=${SYSTEM_PATH}`],
  // The way to the registries may lead through an authority that only this machine knows.
  ...['--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`],
  ...['--cmd', 'node'],
];
const GO = ['--env', `PATH=/go/bin:/usr/local/go/bin:${SYSTEM_PATH}`, '--env', 'GOPATH=/go'];

async function image({ from, tag, config }: Recipe, fill: (root: string) => Promise<void>): Promise<void> {
  const container = (await buildah('from', '--pull-never', from)).trim();
  try {
    await fill((await buildah('mount', container)).trim());
    await buildah('umount', container);
    await buildah('config', ...config, container);
    await buildah('commit', '-q', container, tag);
  } finally {
    await buildah('rm', container);
  }
}

async function addNode(root: string): Promise<void> {
  await run('cp', ['-a', `${await debian()}/.`, root], { env: testEnv });
  await cp(process.execPath, path.join(root, 'usr/local/bin/node'), { dereference: true });
  const modules = path.join(root, 'usr/local/lib/node_modules');
  const global = (await run('npm', ['root', '-g'], { env: testEnv })).trim().split('\n').at(-1) ?? '';
  await cp(path.join(global, 'npm'), path.join(modules, 'npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name));
  await cp(AUTHORITIES, path.join(root, AUTHORITIES), { dereference: true });
}

async function addGo(root: string): Promise<void> {
  const go = (await run('go', ['env', 'GOROOT'], { env: testEnv })).trim();
  await run('cp', ['-a', go, path.join(root, 'usr/local/go')], { env: testEnv });
}

/** Unpacked once. */
async function debian(): Promise<string> {
  const dir = path.join(CONTAINERS_DIR, 'rootfs');
  if (await exists(dir)) return dir;
  const draft = `${dir}.draft`;
  await rm(draft, { recursive: true, force: true });
  await debootstrap(draft);
  await Promise.all(
    ['var/cache/apt/archives', 'var/lib/apt/lists'].map((each) =>
      rm(path.join(draft, each), { recursive: true }),
    ),
  );
  await rename(draft, dir);
  return dir;
}
