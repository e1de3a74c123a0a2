import { unavailable } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import { javaIndexKeeper } from './java-index.ts';

const HOUR_MS = 3_600_000;

function keeper(situation: { due: boolean; fails: boolean }, searchFactor = 1) {
  let time = 0;
  const downloads: number[] = [];
  const keep = javaIndexKeeper({
    scannerService: {
      isJavaIndexDue: async () => situation.due,
      async updateJavaIndex() {
        downloads.push(time / 1000);
        if (situation.fails) throw unavailable('DATABASE_DOWNLOAD_FAILED', 'offline');
        situation.due = false;
        return true;
      },
    },
    longestPauseMs: HOUR_MS,
    searchFactor,
    now: () => time,
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  const during = async (ms: number) => {
    for (const end = time + ms; time < end; time += 1_000) await keep(new AbortController().signal);
  };
  return { during, downloads };
}

it('S9: the index of Java archives is downloaded after the first start, before any archive is scanned', async () => {
  const { during, downloads } = keeper({ due: true, fails: false });
  await during(HOUR_MS);
  expect(downloads).toEqual([0]);
});

it('a failed download is retried with growing pauses', async () => {
  const { during, downloads } = keeper({ due: true, fails: true });
  await during(4 * HOUR_MS);
  expect(downloads).toEqual([0, 60, 180, 420, 900, 1860, 3780, 7380, 10980]);
});

it('a failed download is retried sooner where SWEEP_SECONDS is shorter than its default', async () => {
  const { during, downloads } = keeper({ due: true, fails: true }, 0.1);
  await during(60_000);
  expect(downloads).toEqual([0, 6, 18, 42]);
});

it('nothing is downloaded while none is due', async () => {
  const { during, downloads } = keeper({ due: false, fails: false });
  await during(HOUR_MS);
  expect(downloads).toEqual([]);
});

it('a worker that stops does not count as a failed download', async () => {
  const stopping = AbortSignal.abort(new Error('stopping'));
  const keep = javaIndexKeeper({
    scannerService: {
      isJavaIndexDue: async () => true,
      updateJavaIndex: async (signal) => signal?.throwIfAborted() ?? true,
    },
    longestPauseMs: HOUR_MS,
    searchFactor: 1,
    now: () => 0,
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  await expect(keep(stopping)).rejects.toThrow('stopping');
});
