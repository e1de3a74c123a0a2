/** `npm start`: runs everything on one machine. */
import { inspect } from 'node:util';
import { acquirePinned, consoleLine } from '@portcullis/embedded';
import { isAppError } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import { createScanner, scannerPaths, TRIVY_PROGRAM, writeBinaryState } from '@portcullis/scanner';
import { migrate } from '@portcullis/store';
import { workersOf } from './arguments.ts';
import type { Config } from './config.ts';
import { programs } from './processes.ts';
import type { ScannerPort } from './scanner.ts';
import { readSettings } from './settings.ts';
import { listenForStop, watchParent } from './signals.ts';
import { Standalone } from './standalone.ts';

// The reader of the output may end first (`npm start | head`), and a write to it must not end the
// supervisor before its services.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const print = (text: string) => process.stdout.write(`${text}\n`);

function scannerPort({ cacheDir, dataDir, env, trivyPath, releases }: Config): ScannerPort {
  const stateFile = scannerPaths(dataDir).state;
  const log = createLogger({ name: 'scanner', destination: { write: showLog } });
  return {
    async acquire(signal, mayBuild, onBuild) {
      const how = { given: trivyPath, releases, mayBuild, onBuild };
      const options = { cacheDir, env, log: print, signal, ...how };
      const { path, version } = await acquirePinned(TRIVY_PROGRAM, options);
      return { path, version };
    },
    write: (state) => writeBinaryState(stateFile, state),
    async lacks() {
      const { available, message } = await createScanner({ dataDir, log }).state();
      return available ? null : message;
    },
  };
}

function showLog(line: string): void {
  const shown = consoleLine('scanner', line.trimEnd(), 'info');
  if (shown !== null) print(shown);
}

async function main(): Promise<void> {
  const config = readSettings(process.env);
  const workers = workersOf(process.argv.slice(2));
  print(`Portcullis is starting; its data is in ${config.dataDir}`);
  const scanner = config.trivyEnabled ? scannerPort(config) : null;
  const standalone = new Standalone({
    config,
    programs: programs(workers),
    migrate,
    scanner,
    print,
  });
  const stop = async (why: string) => {
    print(`stopping (${why})`);
    await standalone.stop();
    print('stopped');
    process.exit();
  };
  const force = () => {
    standalone.kill();
    process.exit(130);
  };
  listenForStop(process, { onStop: (signal) => void stop(signal), onForce: force });
  if (config.parent !== undefined)
    watchParent(
      config.parent,
      () => process.ppid,
      () => void stop('npm is gone'),
    );
  await standalone.start();
}

try {
  await main();
} catch (error) {
  // Any other error is a bug: its stack is needed.
  process.stderr.write(
    `\nPortcullis can't start: ${isAppError(error) ? error.message : inspect(error)}\n`,
  );
  process.exit(1);
}
