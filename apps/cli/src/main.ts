/** The `portcullis` command: administration of an installation from the command line. */
import { runProgram } from './program.ts';

const INTERRUPTED = 130;

function onInterrupt(end: () => Promise<void>): void {
  const interrupt = () => void end().then(() => process.exit(INTERRUPTED));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt);
}

process.umask(0o077); // backups, keys and DATA_DIR are for our account only
process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  output: process.stdout,
  notes: process.stderr,
  onInterrupt,
});
