/**
 * Runs everything on one machine: embedded services, then our own processes, each restarted when it
 * ends, all stopped in order.
 */
import { readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  closeSockets,
  type EmbeddedService,
  endLeftovers,
  ensureServiceSecrets,
  openSockets,
  planServices,
  SERVICE_NAMES,
  type ServiceName,
  standalonePaths,
} from '@portcullis/embedded';
import { unavailable } from '@portcullis/errors';
import { type Lock, loadSecretKey, openDataDir, openToOthers } from '@portcullis/runtime';
import { banner, innerUrl, publicUrl } from './banner.ts';
import type { Config } from './config.ts';
import { takeFirstPassword } from './first-password.ts';
import { type ProductProgram, programEnv, startProgram, type Urls } from './processes.ts';
import { keepScanner, type ScannerFileState, type ScannerPort } from './scanner.ts';
import { checkPort, lockData } from './start-checks.ts';
import { Supervised } from './supervised.ts';

export interface StandaloneDeps {
  config: Config;
  programs: readonly ProductProgram[];
  migrate: (databaseUrl: string, options: { onWait: (text: string) => void }) => Promise<string[]>;
  /** null: the scanner is disabled. */
  scanner: ScannerPort | null;
  /** Prints one line for people. */
  print: (text: string) => void;
}

const READY_MS = 120_000;
/** It reads the audit stream that the others write, so it ends after them. */
const LAST_PROGRAM = 'notifier';

export class Standalone {
  readonly #deps: StandaloneDeps;
  readonly #paths: ReturnType<typeof standalonePaths>;
  readonly #supervised: Supervised;
  readonly #stopping = new AbortController();
  #lock: Lock | null = null;
  #scanning: Promise<void> = Promise.resolve();
  /** They are needed first: until they run, nothing else is built. */
  readonly #services = Promise.withResolvers<void>();
  /** null: it is disabled. */
  #scanner: ScannerFileState | null = null;
  #isReady = false;
  #starting: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | null = null;

  constructor(deps: StandaloneDeps) {
    this.#deps = deps;
    this.#paths = standalonePaths(deps.config.dataDir);
    this.#supervised = new Supervised({ ...this.#paths, print: deps.print });
  }

  /**
   * Resolves when the api is ready, or when `stop` was called meanwhile. @throws when a part cannot
   * be started; all parts are stopped then
   */
  async start(): Promise<void> {
    this.#starting = this.#bringUp();
    try {
      await this.#starting;
    } catch (error) {
      const isWanted = this.#stopping.signal.aborted;
      await this.stop();
      if (!isWanted) throw error;
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#bringDown();
    return this.#stopped;
  }

  /** Kills everything at once; the next start cleans up. */
  kill(): void {
    this.#supervised.kill();
  }

  async #bringUp(): Promise<void> {
    await this.#claim();
    this.#acquireScanner();
    const urls = await this.#startServices();
    await this.#migrate(urls.postgres);
    await this.#startPrograms(urls);
    await this.#untilReady();
    await this.#announce();
  }

  async #claim(): Promise<void> {
    const { config, print } = this.#deps;
    const open = await openDataDir(config.dataDir);
    if (open.length > 0) print(`warning: ${openToOthers(open)}`);
    this.#lock = await lockData(this.#paths.lock, config.dataDir);
    const left = await endLeftovers(this.#paths.running, SERVICE_NAMES);
    if (left.length > 0) print(`ended what an earlier start had left running: ${left.join(', ')}`);
    await checkPort(config);
    await loadSecretKey({ secretKey: config.secretKey, dataDir: config.dataDir });
  }

  #acquireScanner(): void {
    const { scanner, print } = this.#deps;
    if (scanner === null) return;
    const onState = (state: ScannerFileState) => {
      // Before everything is up, the banner reports it.
      if (this.#isReady && state.state === 'ready')
        print(`the scanner is ready (Trivy ${state.version})`);
      this.#scanner = state;
    };
    this.#scanning = keepScanner({
      port: scanner,
      mayBuild: this.#services.promise,
      log: print,
      onState,
      signal: this.#stopping.signal,
    });
  }

  /** Concurrently; when one fails the others are awaited, so that they can be stopped. */
  async #startServices(): Promise<Urls> {
    const { config, print } = this.#deps;
    const secrets = await ensureServiceSecrets(this.#paths.secrets);
    const sockets = await openSockets(this.#paths.sockets);
    const { signal } = this.#stopping;
    const plan = planServices({ settings: config, secrets, sockets, log: print, signal });
    const begun = SERVICE_NAMES.map((name) => this.#startService(name, plan[name]));
    await Promise.allSettled(begun);
    this.#services.resolve();
    const [postgres, redis, registry] = await Promise.all(begun);
    return { postgres: postgres ?? '', redis: redis ?? '', registry: registry ?? '' };
  }

  async #startService(name: ServiceName, planned: string | EmbeddedService): Promise<string> {
    if (typeof planned === 'string') return planned;
    const from = Date.now();
    let url = '';
    await this.#supervised.add({
      name,
      loud: false,
      start: async (hooks) => {
        const running = await planned.start(hooks);
        url = running.url;
        return running.service;
      },
    });
    this.#deps.print(`${name} is up (${((Date.now() - from) / 1000).toFixed(1)} s)`);
    return url;
  }

  async #migrate(databaseUrl: string): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const applied = await this.#deps.migrate(databaseUrl, { onWait: this.#deps.print });
    if (applied.length > 0) this.#deps.print(`database: ${applied.length} migration(s) applied`);
  }

  async #startPrograms(urls: Urls): Promise<void> {
    for (const program of this.#deps.programs) {
      this.#stopping.signal.throwIfAborted();
      const env = programEnv(program.role, this.#deps.config, urls);
      await this.#supervised.add({
        name: program.name,
        loud: true,
        start: (hooks) => startProgram(program, env, hooks),
      });
    }
  }

  async #untilReady(): Promise<void> {
    const { host, port } = this.#deps.config;
    const deadline = Date.now() + READY_MS;
    while (!(await answers200(`${innerUrl(host, port)}/api/ready`))) {
      this.#stopping.signal.throwIfAborted();
      const hopeless = this.#supervised.hopeless();
      if (hopeless)
        throw unavailable('START_FAILED', `${hopeless.name} does not stay up; see ${hopeless.log}`);
      if (Date.now() > deadline)
        throw unavailable(
          'START_FAILED',
          `the api is not ready after ${READY_MS / 1000} s; see ${this.#paths.logs}`,
        );
      await sleep(100);
    }
  }

  async #announce(): Promise<void> {
    const { host, port, dataDir, cacheDir, adminUsername: username } = this.#deps.config;
    const password = await takeFirstPassword(this.#paths.firstPassword);
    const databaseDir = await readlink(this.#paths.postgres).catch(() => null);
    const url = publicUrl(host, port);
    const lacks = (await this.#deps.scanner?.lacks()) ?? null;
    const scanner = this.#scanner && { ...this.#scanner, lacks };
    this.#deps.print(
      banner({ url, host, dataDir, databaseDir, cacheDir, username, password, scanner }),
    );
    this.#isReady = true;
  }

  /** First the processes that create work, then those that do it, the services last. */
  async #bringDown(): Promise<void> {
    this.#stopping.abort();
    await this.#starting.catch(() => {});
    const names = this.#deps.programs.map(({ name }) => name);
    await this.#supervised.end(names.filter((name) => name !== LAST_PROGRAM));
    await this.#supervised.end([LAST_PROGRAM]);
    await this.#supervised.end(SERVICE_NAMES);
    await this.#scanning;
    this.#supervised.closeLogs();
    if (this.#lock === null) return;
    await closeSockets(this.#paths.sockets);
    await this.#lock.release();
  }
}

async function answers200(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(2000),
      headers: { connection: 'close' },
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
