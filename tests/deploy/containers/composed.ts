/**
 * The product as defined by docker-compose.yml, started by its script: networks, volumes, secrets,
 * health checks. Only the images, limits of this machine and a registry to pull from are added.
 */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import { eventually, type TestRegistry, temporaryDir } from '@portcullis/testing';
import type { Product } from '../../support/product.ts';
import { type ComposeEngine, startComposeEngine } from './compose-engine.ts';
import { API_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE, REGISTRY_IMAGE, WORKER_IMAGE } from './engine.ts';
import { removeForwardedPorts } from './forwarded-ports.ts';
import { freePrefix, hostIp, publishedPort } from './host-network.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const OURS = ['migrate', 'api', 'worker', 'notifier'];
/** Where netavark stores the configuration of its DNS servers. */
const NAMES = '/run/containers/networks/aardvark-dns';

export interface ComposedProduct extends Product {
  /** Runs a script as an operator would, in the folder of docker-compose.yml. */
  shell(script: string): Promise<string>;
  /** Removes all containers, networks and volumes. */
  down(): Promise<void>;
  /** Kills the containers that `docker compose run` started. */
  killRun(): Promise<void>;
  /** The directory of a volume on this machine. */
  volume(name: string): Promise<string>;
  /** The working directory of the scripts. */
  site: string;
}

interface Project {
  name: string;
  site: string;
  engine: ComposeEngine;
  secretsDir: string;
  url: string;
  upstreamHost: string;
  sh(command: string, ...args: string[]): Promise<string>;
}

/**
 * Serves the content of the host's `upstream` within the project's networks; `env` has the URL with
 * the host's address.
 */
export async function startComposed(
  env: Record<string, string>,
  upstream: TestRegistry,
): Promise<ComposedProduct> {
  const dir = await temporaryDir();
  const engine = await startComposeEngine(dir.path);
  const project = await lay(dir.path, engine, { env, upstream });
  await removeForwardedPorts(engine, project.name);
  let output = '';
  const stop = async () => {
    if (output !== '') return;
    output = await stopProject(project);
    await engine.stop();
    await dir.remove();
  };
  try {
    await withHealthChecks(project, project.sh('sh', 'deploy/compose/up.sh'));
  } catch (error) {
    await stop();
    throw new Error(`compose did not start it:\n${output}`, { cause: error });
  }
  const volume = async (each: string) => {
    const place = ['volume', 'inspect', `${project.name}_${each}`, '--format', '{{.Mountpoint}}'];
    return (await engine.podman(...place)).trim();
  };
  const dataDir = await volume('data');
  return {
    url: project.url,
    dataDirs: () => [dataDir],
    volume,
    site: project.site,
    shell: (script) => withHealthChecks(project, project.sh('sh', '-ec', script)),
    down: () => removeAll(project),
    killRun: () => killRun(project),
    upstreamHost: project.upstreamHost,
    databaseUrl: () => databaseUrl(project),
    output: () => output,
    firstPassword: null,
    running: () => leftoversOf(project),
    stop,
  };
}

async function lay(
  dir: string,
  engine: ComposeEngine,
  { env, upstream }: { env: Record<string, string>; upstream: TestRegistry },
): Promise<Project> {
  const name = path.basename(dir).toLowerCase();
  const port = await publishedPort();
  const { ADMIN_PASSWORD = '', ...settings } = env;
  const secretsDir = path.join(dir, 'secrets');
  await mkdir(secretsDir);
  await writeFile(path.join(secretsDir, 'admin_password'), ADMIN_PASSWORD);
  const site = path.join(dir, 'site');
  await mkdir(site);
  for (const each of ['docker-compose.yml', 'deploy'])
    await symlink(path.join(ROOT, each), path.join(site, each));
  const added = path.join(dir, 'additions.json');
  const prefix = await freePrefix(await hostIp());
  const upstreamHost = `${prefix}.10:5000`;
  await writeFile(added, JSON.stringify(additions(upstream, prefix)));
  const changed = Object.entries(settings).map(([key, value]) => [
    key,
    value.replaceAll(upstream.host, upstreamHost),
  ]);
  const composeEnv = {
    ...engine.env,
    ...Object.fromEntries(changed),
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_FILE: `docker-compose.yml:${added}`,
    SECRETS_DIR: secretsDir,
    API_IMAGE,
    WORKER_IMAGE,
    POSTGRES_IMAGE,
    REDIS_IMAGE,
    REGISTRY_IMAGE,
    LISTEN: '127.0.0.1',
    PORT: String(port),
  };
  return {
    name,
    site,
    engine,
    secretsDir,
    url: `http://127.0.0.1:${port}`,
    upstreamHost,
    sh: (command, ...args) => run(command, args, { cwd: site, env: composeEnv }),
  };
}

function additions(upstream: TestRegistry, prefix: string) {
  const limits = { ulimits: { nofile: 20_000, nproc: 4_000 } };
  return {
    services: {
      ...Object.fromEntries(OURS.map((name) => [name, limits])),
      upstream: {
        image: REGISTRY_IMAGE,
        command: ['serve', '/etc/registry/config.yml'],
        configs: [{ source: 'registry', target: '/etc/registry/config.yml' }],
        volumes: [`${upstream.storageDir}:/var/lib/registry:ro`],
        networks: { outside: { ipv4_address: `${prefix}.10` } },
      },
    },
    networks: { outside: { ipam: { config: [{ subnet: `${prefix}.0/24` }] } } },
  };
}

/** Without systemd, podman does not run health checks by itself. */
async function withHealthChecks<T>({ name, engine }: Project, up: Promise<T>): Promise<T> {
  let done = false;
  const checkHealth = async () => {
    const names = await engine.podman('ps', '--filter', labelOf(name), '--format', '{{.Names}}');
    for (const each of names.split('\n').filter(Boolean))
      await engine.podman('healthcheck', 'run', each).catch(() => {}); // some have none, some aren't well yet
    return done;
  };
  // The script that starts the product has a time limit.
  const waiting = { patienceMs: Number.POSITIVE_INFINITY, intervalMs: 500 };
  const checks = eventually(checkHealth, Boolean, waiting);
  const result = await up.finally(() => {
    done = true;
  });
  await checks;
  return result;
}

async function killRun({ name, engine }: Project): Promise<void> {
  const oneOff = ['--filter', labelOf(name), '--filter', 'label=com.docker.compose.oneoff=True'];
  const running = await engine.podman('ps', ...oneOff, '--format', '{{.Names}}');
  for (const each of running.split('\n').filter(Boolean)) await engine.podman('kill', each);
}

/** The logs; the last line of each of our services is `stopped` when it ended in good order. */
async function stopProject(project: Project): Promise<string> {
  const { sh } = project;
  const compose = (...args: string[]) => sh('docker', 'compose', ...args);
  await compose('stop');
  const logs = await compose('logs', '--no-color');
  const codes = await compose(
    'ps',
    '--all',
    '--format',
    '{{.Service}} ended with code {{.ExitCode}}',
  );
  await removeAll(project);
  const wrong = new RegExp(`^(?:${OURS.join('|')}) ended with code (?!0)`, 'm').test(codes);
  return `${logs}\n${codes}\n${wrong ? '' : 'stopped\n'}`;
}

async function removeAll(project: Project): Promise<void> {
  const bridges = await bridgesOf(project);
  await project.sh('docker', 'compose', 'down', '--volumes');
  await removeLeftovers(project, bridges);
}

async function bridgesOf({ name, engine }: Project): Promise<string[]> {
  const names = await engine.podman('network', 'ls', '--quiet', '--filter', labelOf(name));
  const all = names.split('\n').filter(Boolean);
  const format = ['--format', '{{.NetworkInterface}}'];
  return Promise.all(
    all.map(async (each) => (await engine.podman('network', 'inspect', each, ...format)).trim()),
  );
}

/**
 * Debian's netavark leaves a network's bridge, names and forwarded ports behind when its containers
 * end at the same time.
 */
async function removeLeftovers(
  { name, engine }: Project,
  bridges: readonly string[],
): Promise<void> {
  await removeForwardedPorts(engine, name);
  const ip = await hostIp();
  const present = await ip('link');
  for (const each of bridges) if (present.includes(` ${each}: `)) await ip('link', 'del', each);
  for (const each of await readdir(NAMES).catch(() => []))
    if (each.startsWith(`${name}_`)) await rm(path.join(NAMES, each));
}

/** The database publishes no port, but this machine is part of the containers' networks. */
async function databaseUrl({ name, engine, secretsDir }: Project): Promise<string> {
  const address = `{{(index .NetworkSettings.Networks "${name}_state").IPAddress}}`;
  const ip = await engine.podman('inspect', `${name}-postgres-1`, '--format', address);
  const url = await readFile(path.join(secretsDir, 'database_url'), 'utf8');
  return url.trim().replace('@postgres:', `@${ip.trim()}:`);
}

async function leftoversOf({ name, engine }: Project): Promise<string[]> {
  const kinds = [
    ['ps', '--all'],
    ['volume', 'ls'],
    ['network', 'ls'],
  ];
  const found = kinds.map((words) => engine.podman(...words, '--quiet', '--filter', labelOf(name)));
  return (await Promise.all(found)).join('').split('\n').filter(Boolean);
}

function labelOf(project: string): string {
  return `label=com.docker.compose.project=${project}`;
}
