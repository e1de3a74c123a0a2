/**
 * Work that each worker does by itself: it clears leftovers, and keeps scans and standings up to
 * date.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@portcullis/runtime';
import type { WorkerParts } from '../pipeline/worker-parts.ts';
import { backgroundScans } from './scans/background-scans.ts';
import { standingKeeper } from './standings/keep-standings.ts';

const EVERY_MS = 1_000;
const TIDY_EVERY_MS = 15_000;

export function background(parts: WorkerParts): Part {
  const { log, scannerService } = parts;
  const stopping = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();
  let tidyAt = 0;

  async function loop(take: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      const took = await take(stopping.signal).catch((err: unknown) => {
        log.warn({ err }, 'background work failed; it continues');
        return false;
      });
      if (!took) await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Each worker cleans up its own DATA_DIR. */
  async function tidy(): Promise<boolean> {
    if (Date.now() < tidyAt) return false;
    tidyAt = Date.now() + TIDY_EVERY_MS;
    await scannerService.clearLeftovers();
    return false;
  }

  return {
    start() {
      const standings = standingKeeper({
        ...parts,
        rules: parts.gate.rules,
        searchFactor: parts.config.searchFactor,
        now: () => new Date(),
      });
      loops = Promise.all([tidy, standings.next, ...backgroundScans(parts)].map(loop));
    },
    async stop() {
      stopping.abort();
      await loops;
    },
  };
}
