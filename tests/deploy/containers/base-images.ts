/**
 * Substitutes for the base images of the Dockerfiles, for machines that reach no registry: Debian's
 * packages with this machine's Node and npm, or Go, tagged with the names of the images they
 * replace. Those for another platform are created with emulation and have separate names; builds on
 * them need no emulation.
 */
import { cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { builtRegistry, exists, run } from '@portcullis/embedded';
import { go, temporaryDir, testCacheDir, testEnv } from '@portcullis/testing';
import { emulated } from './emulation.ts';
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
import { type Kind, OWN, platformOf } from './platform.ts';

const STAND_INS = path.join(import.meta.dirname, 'stand-ins');
const NPM = 'npm@11.6.2';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function ensureBaseImages(): Promise<void> {
  await nodeImage(OWN, NODE_IMAGE);
  if (!(await hasImage(GO_IMAGE)))
    await image({ from: NODE_IMAGE, tag: GO_IMAGE, config: GO }, addGo);
  await registryStandIn(REGISTRY_IMAGE);
}

const FOREIGN_NODE = 'localhost/stand-in/node';
const FOREIGN_REGISTRY = 'localhost/stand-in/registry';

/** The build arguments that select these base images. */
export async function ensureForeignImages(kind: Kind): Promise<string[]> {
  const node = `${FOREIGN_NODE}:${kind.arch}`;
  const both = `${FOREIGN_NODE}:${OWN.arch}-${kind.arch}`;
  const registry = `${FOREIGN_REGISTRY}:${kind.arch}`;
  const platform = ['--platform', platformOf(kind), '--build-arg', `NODE_IMAGE=${node}`];
  await using _ = await emulated(kind);
  await nodeImage(kind, node);
  await registryStandIn(registry, kind, platform);
  if (!(await hasImage(both))) {
    await buildah('manifest', 'create', both);
    for (const each of [NODE_IMAGE, node])
      await buildah('manifest', 'add', both, `containers-storage:${each}`);
  }
  const found = [
    `NODE_IMAGE=${both}`,
    `REGISTRY_IMAGE=${registry}`,
    `BUILDPLATFORM=${platformOf(OWN)}`,
  ];
  return ['--platform', platformOf(kind), ...found.flatMap((each) => ['--build-arg', each])];
}

/** The third-party services of docker-compose.yml. */
export async function ensureServiceImages(): Promise<void> {
  await standIn('postgres', POSTGRES_IMAGE);
  await standIn('redis', REDIS_IMAGE);
}

/** Its context also has the program, built for the platform of the image. */
async function registryStandIn(
  tag: string,
  kind: Kind = OWN,
  platform: string[] = [],
): Promise<void> {
  const goarch = kind === OWN ? undefined : kind.arch;
  const built = await builtRegistry({ cacheDir: testCacheDir, env: testEnv }, goarch);
  const context = await temporaryDir();
  try {
    await cp(STAND_INS, context.path, { recursive: true });
    await mkdir(path.join(context.path, 'program'));
    await cp(built, path.join(context.path, 'program', 'registry'), { preserveTimestamps: true });
    await standIn('registry', tag, platform, context.path);
  } finally {
    await context.remove();
  }
}

async function standIn(
  target: string,
  tag: string,
  platform: string[] = [],
  context = STAND_INS,
): Promise<void> {
  const lent = ['--volume', '/etc/hosts:/etc/hosts:ro'];
  const how = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--layers',
    ...lent,
    ...platform,
  ];
  await buildah('bud', ...how, '--target', target, '--tag', tag, context);
}

interface Recipe {
  from: string;
  tag: string;
  config: string[];
}

const NODE = [
  ...['--env', `PATH=${SYSTEM_PATH}`],
  // A proxy in front of the registries may use a certificate authority that only this machine
  // trusts.
  ...['--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`],
  ...['--cmd', 'node'],
];
const GO = ['--env', `PATH=/go/bin:/usr/local/go/bin:${SYSTEM_PATH}`, '--env', 'GOPATH=/go'];

async function image(
  { from, tag, config }: Recipe,
  fill: (root: string) => Promise<void>,
): Promise<void> {
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

async function nodeImage(kind: Kind, tag: string): Promise<void> {
  const config = ['--arch', kind.arch, ...NODE];
  if (!(await hasImage(tag)))
    await image({ from: 'scratch', tag, config }, (root) => addNode(kind, root));
}

async function addNode(kind: Kind, root: string): Promise<void> {
  await run('cp', ['-a', `${await debian(kind)}/.`, root], { env: testEnv });
  await addNodeProgram(kind, path.join(root, 'usr/local/bin/node'));
  await addNpm(path.join(root, 'usr/local/lib/node_modules/npm'));
  for (const name of ['npm', 'npx'])
    await symlink(
      `../lib/node_modules/npm/bin/${name}-cli.js`,
      path.join(root, 'usr/local/bin', name),
    );
  await cp(AUTHORITIES, path.join(root, AUTHORITIES), { dereference: true });
}

/** Debian splits npm into many packages, and the Node package that we use contains none. */
function addNpm(to: string): Promise<void> {
  return fromPackage(NPM, (content) => cp(content, to, { recursive: true }));
}

/** This machine's Node, or the same release from npm's package for the other platform. */
async function addNodeProgram(kind: Kind, file: string): Promise<void> {
  if (kind === OWN) return cp(process.execPath, file, { dereference: true });
  const name = `node-linux-${kind.node}@${process.versions.node}`;
  await fromPackage(name, (content) => cp(path.join(content, 'bin/node'), file));
}

/** The unpacked content of a package from npm's registry. */
async function fromPackage(name: string, use: (content: string) => Promise<void>): Promise<void> {
  const dir = await temporaryDir();
  try {
    await run('npm', ['pack', '--silent', name], { env: testEnv, cwd: dir.path });
    const [archive = ''] = await readdir(dir.path);
    await run('tar', ['-xzf', archive], { env: testEnv, cwd: dir.path });
    await use(path.join(dir.path, 'package'));
  } finally {
    await dir.remove();
  }
}

async function addGo(root: string): Promise<void> {
  const from = (await go(['env', 'GOROOT'], { cwd: '/' })).trim();
  await run('cp', ['-a', from, path.join(root, 'usr/local/go')], { env: testEnv });
}

/** Unpacked once. */
async function debian(kind: Kind): Promise<string> {
  const dir = path.join(CONTAINERS_DIR, kind === OWN ? 'rootfs' : `rootfs-${kind.arch}`);
  if (await exists(dir)) return dir;
  const draft = `${dir}.draft`;
  await rm(draft, { recursive: true, force: true });
  await debootstrap(kind.arch, draft);
  await Promise.all(
    ['var/cache/apt/archives', 'var/lib/apt/lists'].map((each) =>
      rm(path.join(draft, each), { recursive: true }),
    ),
  );
  await rename(draft, dir);
  return dir;
}
