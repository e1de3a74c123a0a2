/** Everything on one machine: embedded services, then our own programs, each kept running, all stopped in order. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  consoleLine,
  hasCode,
  isFree,
  type Lock,
  pidOf,
  type Service,
  type ServiceHooks,
  tryLock,
} from '@portcullis/embedded';
import { conflict, unavailable } from '@portcullis/errors';
import { loadSecretKey } from '@portcullis/runtime';
import { banner, innerUrl, publicUrl } from './banner.ts';
import type { Config } from './config.ts';
import { type Keeper, keepRunning } from './keep-running.ts';
import { endLeftovers, forgetProcess, recordProcess } from './leftovers.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { standalonePaths } from './paths.ts';
import { type Program, programEnv, startProgram, type Urls } from './processes.ts';
import { remember } from './remembered.ts';
import { keepScanner, type ScannerPort } from './scanner.ts';
import { type EmbeddedService, planServices, SERVICE_NAMES, type ServiceName } from './services.ts';

export interface StandaloneDeps {
  config: Config;
  programs: readonly Program[];
  migrate: (databaseUrl: string) => Promise<string[]>;
  /** null: the scanner is switched off. */
  scanner: ScannerPort | null;
  /** One line for people. */
  print: (text: string) => void;
}

export interface Standalone {
  /** Resolves when the api says it is ready. @throws when a part can't be brought up; then everything is stopped already */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends everything now. */
  kill(): void;
}

/** A program that ends this often before anything was ready will not come up. */
const HOPELESS = 3;
const READY_MS = 120_000;

export function createStandalone({ config, programs, migrate, scanner, print }: StandaloneDeps): Standalone {
  const paths = standalonePaths(config.dataDir);
  const stopping = new AbortController();
  const services: Keeper[] = [];
  const processes: Keeper[] = [];
  const logs: LogFile[] = [];
  const troubles = new Map<string, number>();
  let scanning: Promise<void> = Promise.resolve();
  let lock: Lock | null = null;
  let stopped: Promise<void> | null = null;
  let starting: Promise<void> = Promise.resolve();

  function start(): Promise<void> {
    starting = bringUp();
    return starting.catch(async (error) => {
      const wanted = stopping.signal.aborted;
      await stop();
      if (!wanted) throw error;
    });
  }

  async function bringUp(): Promise<void> {
    await mkdir(config.dataDir, { recursive: true });
    lock = await lockData(paths.lock, config.dataDir);
    const left = await endLeftovers(paths.running, SERVICE_NAMES);
    if (left.length > 0) print(`ended what an earlier start had left running: ${left.join(', ')}`);
    await checkPort(config);
    if (scanner !== null) scanning = keepScanner({ port: scanner, log: print, signal: stopping.signal });
    const [urls] = await Promise.all([
      startServices(),
      loadSecretKey({ secretKey: config.secretKey, dataDir: config.dataDir }),
    ]);
    stopping.signal.throwIfAborted();
    const applied = await migrate(urls.postgres);
    if (applied.length > 0) print(`database: ${applied.length} migration(s) applied`);
    for (const program of programs) await keepProgram(program, programEnv(program.name, config, urls));
    await untilApiReady();
    print(banner({ ...facts(config), password: await takeFirstPassword(paths.firstPassword) }));
  }

  async function startServices(): Promise<Urls> {
    const remembered = await remember(paths.remembered);
    const plan = planServices({ config, remembered, log: print, signal: stopping.signal });
    const results = await Promise.allSettled(SERVICE_NAMES.map((name) => bringService(name, plan[name])));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const [postgres = '', redis = '', registry = ''] = results.map((result) =>
      result.status === 'fulfilled' ? result.value : '',
    );
    return { postgres, redis, registry };
  }

  async function bringService(name: ServiceName, planned: string | EmbeddedService): Promise<string> {
    if (typeof planned === 'string') return planned;
    const hooks = hooksFor(name, false);
    const from = Date.now();
    let url = '';
    const begin = async (): Promise<Service> => {
      const running = await planned.start(hooks);
      url = running.url;
      return running.service;
    };
    services.push(await keepRunning({ name, start: begin, onTrouble: trouble(name) }));
    print(`${name} is up (${((Date.now() - from) / 1000).toFixed(1)} s)`);
    return url;
  }

  async function keepProgram(program: Program, env: NodeJS.ProcessEnv): Promise<void> {
    stopping.signal.throwIfAborted();
    const hooks = hooksFor(program.name, true);
    const begin = () => startProgram(program, env, hooks);
    processes.push(await keepRunning({ name: program.name, start: begin, onTrouble: trouble(program.name) }));
  }

  function hooksFor(name: string, loud: boolean): ServiceHooks {
    const file = openLogFile(join(paths.logs, `${name}.log`));
    logs.push(file);
    return {
      onSpawn: (spawned) => recordProcess(paths.running, spawned),
      onLine: (line) => {
        file.line(line);
        const shown = loud ? consoleLine(name, line) : null;
        if (shown !== null) print(shown);
      },
    };
  }

  function trouble(name: string) {
    return (what: string, service: Service | null) => {
      troubles.set(name, (troubles.get(name) ?? 0) + 1);
      // A program's own words were printed as they came.
      const words =
        service !== null && SERVICE_NAMES.some((known) => known === name) ? `\n${service.tail()}` : '';
      print(`${name} ${what}; starting it again${words}`);
    };
  }

  async function untilApiReady(): Promise<void> {
    const url = `${innerUrl(config.host, config.port)}/api/ready`;
    const deadline = Date.now() + READY_MS;
    while (!(await answers200(url))) {
      stopping.signal.throwIfAborted();
      const hopeless = [...troubles].find(([, times]) => times >= HOPELESS);
      if (hopeless)
        throw unavailable(
          'START_FAILED',
          `${hopeless[0]} does not stay up; see ${join(paths.logs, `${hopeless[0]}.log`)}`,
        );
      if (Date.now() > deadline)
        throw unavailable(
          'START_FAILED',
          `the api was not ready after ${READY_MS / 1000} s; see ${paths.logs}`,
        );
      await sleep(100);
    }
  }

  function stop(): Promise<void> {
    stopped ??= bringDown();
    return stopped;
  }

  /** Who makes work first, who does it next, what they stand on last. */
  async function bringDown(): Promise<void> {
    stopping.abort();
    await starting.catch(() => {});
    const [notifier, ...others] = processes.toReversed();
    await Promise.all(others.map(end));
    if (notifier) await end(notifier);
    await Promise.all(services.map(end));
    await scanning;
    for (const log of logs) log.close();
    await lock?.release();
  }

  async function end(keeper: Keeper): Promise<void> {
    await keeper.stop();
    forgetProcess(paths.running, keeper.name);
  }

  function kill(): void {
    for (const keeper of [...processes, ...services]) keeper.kill();
  }

  return { start, stop, kill };
}

async function lockData(path: string, dataDir: string): Promise<Lock> {
  const attempt = await tryLock(path);
  if ('lock' in attempt) return attempt.lock;
  const text = `another Portcullis (process ${pidOf(attempt.holder)}) runs on ${dataDir}; stop it, or set DATA_DIR to another folder`;
  throw conflict('DATA_DIR_IN_USE', text);
}

async function checkPort({ host, port }: Config): Promise<void> {
  if (await isFree(port, host)) return;
  throw conflict(
    'PORT_IN_USE',
    `${host}:${port} is in use by another program, or not ours to take; set PORT to another number`,
  );
}

function facts(config: Config) {
  return {
    url: publicUrl(config.host, config.port),
    dataDir: config.dataDir,
    username: config.adminUsername,
  };
}

/** Read, then deleted: it is shown once. A start that broke off before leaves it for the next one. */
async function takeFirstPassword(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}

async function answers200(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000), headers: { connection: 'close' } }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status === 200;
    },
    () => false,
  );
}
