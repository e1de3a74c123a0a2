/**
 * Writes beside a new vulnerability database what changed since the present one, before the new one
 * is used. Without that file all images are re-matched.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@portcullis/runtime';
import { run } from '../process/run.ts';
import type { ScanDir } from '../scan/scan-dir.ts';
import { ChangesFile, changesFile } from './database-changes.ts';

export interface Compared {
  dir: string;
  /** Its date, as it states it. */
  updatedAt: string;
}

export interface CompareContext {
  dir: ScanDir;
  signal?: AbortSignal | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
}

const SCRIPT = fileURLToPath(new URL('./compare-databases.ts', import.meta.url));
const TIMEOUT_MS = 10 * 60_000;
/** In MiB. What it keeps is in proportion to what changed. */
const HEAP = 512;

export async function writeChanges(
  older: Compared,
  newer: Compared,
  { dir, signal, log }: CompareContext,
): Promise<void> {
  const output = join(dir.tmp, 'changes.json');
  const files = [older, newer].map((each) => join(each.dir, 'db', 'trivy.db'));
  const startedAt = Date.now();
  try {
    const args = [`--max-old-space-size=${HEAP}`, SCRIPT, ...files, output];
    const env = { HOME: dir.home, TMPDIR: dir.tmp };
    const options = { cwd: dir.path, env, signal, timeoutMs: TIMEOUT_MS, nice: true };
    const { code, stderr } = await run(process.execPath, args, options);
    if (code !== 0) throw new Error(stderr.slice(-2_000));
    const changes: unknown = JSON.parse(await readFile(output, 'utf8'));
    const file = ChangesFile.parse({ from: older.updatedAt, to: newer.updatedAt, changes });
    await writeFile(changesFile(newer.dir), JSON.stringify(file));
    log.info({ ms: Date.now() - startedAt }, 'the vulnerability databases were compared');
  } catch (err) {
    signal?.throwIfAborted();
    log.warn({ err }, 'the vulnerability databases were not compared; all images are re-matched');
  } finally {
    await rm(output, { force: true });
  }
}
