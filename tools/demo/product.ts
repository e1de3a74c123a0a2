/** Starts the product as `npm start` does. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { recordProcess, type Service, startService } from '@portcullis/embedded';
import type { DemoDirs } from './dirs.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'apps', 'standalone', 'src', 'main.ts');
/** The first line of its banner, and a part of the last one. */
const READY = 'Portcullis is ready.';
const BANNER_END = 'Ctrl-C stops it';
/** Longer than its own processes may take. */
const GRACE_MS = 90_000;

export interface ProductOptions {
  dirs: Pick<DemoDirs, 'log' | 'running'>;
  env: NodeJS.ProcessEnv;
  /** Gets what it prints but its banner, until it is hushed. */
  log: (text: string) => void;
}

export interface StartedProduct {
  service: Service;
  /** Resolves once it accepts requests; never, where it ends before. */
  ready: Promise<void>;
  /** What it prints is only in its log from now on. */
  hush(): void;
}

export async function startDemoProduct({
  dirs,
  env,
  log,
}: ProductOptions): Promise<StartedProduct> {
  const file = createWriteStream(dirs.log, { flags: 'a', mode: 0o600 });
  const ready = Promise.withResolvers<void>();
  let shown = true;
  const hush = () => {
    shown = false;
  };
  const service = await startService({
    name: 'portcullis',
    command: process.execPath,
    args: [MAIN],
    cwd: ROOT,
    env,
    graceMs: GRACE_MS,
    onSpawn: (spawned) => recordProcess(dirs.running, spawned),
    onLine(line) {
      file.write(`${line}\n`);
      if (line.includes(READY)) {
        hush();
        ready.resolve();
      } else if (shown && line.trim() !== '') log(line);
      if (line.includes(BANNER_END)) shown = true;
    },
  });
  void service.exited.then(() => file.end());
  return { service, ready: ready.promise, hush };
}
