/**
 * The supervised services and processes: each with a record and a log file, restarted when it ends,
 * stopped by name.
 */
import { join } from 'node:path';
import {
  consoleLine,
  forgetProcess,
  recordProcess,
  type Service,
  type ServiceHooks,
} from '@portcullis/embedded';
import {
  describeFailure,
  exitedByItself,
  type Keeper,
  keepRunning,
  type Trouble,
} from './keep-running.ts';
import { type LogFile, openLogFile } from './log-file.ts';

export interface SupervisedOptions {
  /** Directory of the records. */
  running: string;
  logs: string;
  print: (text: string) => void;
}

export interface Member {
  name: string;
  start: (hooks: ServiceHooks) => Promise<Service>;
  /**
   * Whether its warnings are shown on the console; otherwise only its last words, when it ended by
   * itself.
   */
  loud: boolean;
}

/**
 * A program that exits by itself this often during start-up has wrong settings. A signal, such as
 * the out-of-memory killer's, says nothing about them.
 */
const HOPELESS = 3;

export class Supervised {
  readonly #options: SupervisedOptions;
  readonly #keepers = new Map<string, Keeper>();
  readonly #logs: LogFile[] = [];
  readonly #troubles = new Map<string, number>();

  constructor(options: SupervisedOptions) {
    this.#options = options;
  }

  async add({ name, start, loud }: Member): Promise<void> {
    const hooks = this.#hooks(name, loud);
    const onTrouble = (trouble: Trouble) => this.#trouble(name, trouble, loud);
    this.#keepers.set(name, await keepRunning({ name, start: () => start(hooks), onTrouble }));
  }

  /** Name and log file of a program that keeps exiting. */
  hopeless(): { name: string; log: string } | null {
    const found = [...this.#troubles].find(([, times]) => times >= HOPELESS);
    return found ? { name: found[0], log: this.#logPath(found[0]) } : null;
  }

  /** Ends these concurrently; names that are not running are ignored. */
  async end(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#endOne(name)));
  }

  closeLogs(): void {
    for (const log of this.#logs) log.close();
  }

  kill(): void {
    for (const keeper of this.#keepers.values()) keeper.kill();
  }

  async #endOne(name: string): Promise<void> {
    const keeper = this.#keepers.get(name);
    if (keeper === undefined) return; // the record of that name, if there is one, is another supervisor's
    await keeper.stop();
    forgetProcess(this.#options.running, name);
  }

  #hooks(name: string, loud: boolean): ServiceHooks {
    const file = openLogFile(this.#logPath(name));
    this.#logs.push(file);
    return {
      onSpawn: (spawned) => recordProcess(this.#options.running, spawned),
      onLine: (line) => {
        file.line(line);
        const shown = loud ? consoleLine(name, line) : null;
        if (shown !== null) this.#options.print(shown);
      },
    };
  }

  #trouble(name: string, trouble: Trouble, loud: boolean): void {
    if (exitedByItself(trouble)) this.#troubles.set(name, (this.#troubles.get(name) ?? 0) + 1);
    const words = loud || trouble.kind === 'not started' ? '' : trouble.service.tail();
    this.#options.print(
      `${name} ${describeFailure(trouble)}; starting it again${words && `. Its last words:\n${words}`}`,
    );
  }

  #logPath(name: string): string {
    return join(this.#options.logs, `${name}.log`);
  }
}
