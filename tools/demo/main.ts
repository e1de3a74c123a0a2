/** `npm run demo`: see README.md in this folder. */
import { inspect } from 'node:util';
import { cacheDir, describeExit } from '@portcullis/embedded';
import { isAppError } from '@portcullis/errors';
import { listenForStop, watchParent } from '../../apps/standalone/src/signals.ts';
import { readArguments } from './arguments.ts';
import { runDemo } from './demo.ts';
import { claimDirs, type DemoDirs, dirsIn, removeDirs } from './dirs.ts';
import { createNarrator } from './narrator.ts';
import { Refusal } from './refusal.ts';

// The reader of the output may end first, and that must not end us before what we have started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const print = (text: string) => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { remove } = readArguments(process.argv.slice(2));
  const dirs = dirsIn(cacheDir(process.env));
  await using _claimed = await claimDirs(dirs);
  if (!remove) {
    await show(dirs);
    return print('stopped');
  }
  await removeDirs(dirs);
  print(`The demonstration is removed: ${dirs.root}`);
}

async function show(dirs: DemoDirs): Promise<void> {
  print('Portcullis, a demonstration with SAMPLE DATA: images, vulnerabilities and accounts are');
  print(`made up, and nothing leaves this machine. Its files are in ${dirs.root}`);
  const stopping = Promise.withResolvers<null>();
  await using running = new AsyncDisposableStack();
  const onStop = (why: string) => {
    print(`\nstopping (${why})`);
    stopping.resolve(null);
  };
  listenForStop(process, { onStop, onForce: () => process.exit(130) });
  watchParent(
    process.ppid,
    () => process.ppid,
    () => onStop('npm is gone'),
  );
  const told = runDemo({ dirs, env: process.env, tell: createNarrator(print), running });
  const service = await Promise.race([told, stopping.promise]);
  const exit = service && (await Promise.race([service.exited, stopping.promise]));
  if (exit) throw new Refusal(`Portcullis ended (${describeExit(exit)}); see ${dirs.log}`);
}

try {
  await main();
  process.exit();
} catch (error) {
  const isExpected = error instanceof Refusal || isAppError(error);
  process.stderr.write(
    `\nThe demonstration failed: ${isExpected ? error.message : inspect(error)}\n`,
  );
  process.exit(1);
}
