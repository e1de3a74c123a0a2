/** Starts the product as `npm start` does. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { recordProcess, type Service, startService } from '@portcullis/embedded';
import type { Place } from './place.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'apps', 'standalone', 'src', 'main.ts');
/** The first line of its banner. */
const READY = 'Portcullis is ready.';
/** Longer than its own processes may take. */
const GRACE_MS = 90_000;

export interface ProductOptions {
  place: Pick<Place, 'log' | 'running'>;
  env: NodeJS.ProcessEnv;
  /** Gets what it prints before its banner. */
  log: (text: string) => void;
}

export interface StartedProduct {
  service: Service;
  /** Resolves once it accepts requests; never, where it ends before. */
  ready: Promise<void>;
}

export async function startDemoProduct({
  place,
  env,
  log,
}: ProductOptions): Promise<StartedProduct> {
  const file = createWriteStream(place.log, { flags: 'a', mode: 0o600 });
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const service = await startService({
    name: 'portcullis',
    command: process.execPath,
    args: [MAIN],
    cwd: ROOT,
    env,
    graceMs: GRACE_MS,
    onSpawn: (spawned) => recordProcess(place.running, spawned),
    onLine(line) {
      file.write(`${line}\n`);
      if (isReady) return;
      isReady = line.includes(READY);
      if (isReady) ready.resolve();
      else if (line.trim() !== '') log(line);
    },
  });
  void service.exited.then(() => file.end());
  return { service, ready: ready.promise };
}
