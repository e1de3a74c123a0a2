/** For tests only: runs a shell command tied to itself and prints the command's pid. */
import { runTied } from './program.ts';

const [, , command = ''] = process.argv;
const line = (text: string) => void process.send?.(Number(text));
await runTied({ path: '/bin/sh', env: {} }, ['-c', command], {
  signal: new AbortController().signal,
  line,
});
