/** Finds the distribution binary and runs it so that it never outlives this process. */
import { spawn } from 'node:child_process';
import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ifThere } from './storage/directory-files.ts';

export interface RegistryProgram {
  path: string;
  /** To add to its environment. */
  env: Record<string, string>;
}

const FILE = 'program.json';
const NAMES = ['docker-registry', 'registry'];

/** Writes the binary's path beside the storage, for the process that collects garbage there. */
export async function noteProgram(storageDir: string, program: RegistryProgram): Promise<void> {
  await writeFile(join(dirname(storageDir), FILE), JSON.stringify(program), { mode: 0o600 });
}

/** The configured binary, the one from `noteProgram`, or one on PATH; null where there is none. */
export async function findProgram(
  storageDir: string,
  { binary, path = '' }: { binary: string | undefined; path: string | undefined },
): Promise<RegistryProgram | null> {
  if (binary !== undefined) return (await isExecutable(binary)) ? { path: binary, env: {} } : null;
  const noted = await ifThere(() => readFile(join(dirname(storageDir), FILE), 'utf8'));
  // Only `noteProgram` writes the file.
  if (noted !== null) return JSON.parse(noted) as RegistryProgram;
  for (const dir of path.split(delimiter).filter(Boolean))
    for (const name of NAMES)
      if (await isExecutable(join(dir, name))) return { path: join(dir, name), env: {} };
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The shell kills the program when its standard input closes, which happens with this process,
 * however it ends. A collection that continued alone would delete during writes that are allowed
 * again.
 */
const TIED = `exec 3<&0
"$@" </dev/null 3<&- & child=$!
(cat <&3 >/dev/null; kill -9 $child) >/dev/null 2>&1 & watcher=$!
exec 3<&-
wait $child; code=$?
kill $watcher 2>/dev/null
exit $code`;

export interface Ended {
  code: number | null;
}

/** @throws the signal's reason when aborted, once the program is dead */
export async function runTied(
  { path, env }: RegistryProgram,
  args: string[],
  { signal, line }: { signal: AbortSignal; line(text: string): void },
): Promise<Ended> {
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', TIED, 'sh', path, ...args], {
    env: { PATH: '/usr/bin:/bin', OTEL_TRACES_EXPORTER: 'none', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  const end = () => child.stdin.destroy();
  signal.addEventListener('abort', end, { once: true });
  const lines = [child.stdout, child.stderr].map((input) =>
    createInterface({ input }).on('line', line),
  );
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    return { code };
  } finally {
    signal.removeEventListener('abort', end);
    for (const each of lines) each.close();
    child.stdin.destroy();
  }
}
