import type { StagingJob } from '@portcullis/domain';
import { createLogger } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import { rescanForJava } from './rescan-for-java.ts';

const HOUR_MS = 3_600_000;

function setUp(status: StagingJob['status'], arrivedAt: number | null) {
  let time = 10 * HOUR_MS;
  let since = arrivedAt;
  let row = { id: 'j', status, timeline: [] } as unknown as StagingJob;
  const dispatched: string[] = [];
  const asked: number[] = [];
  const look = rescanForJava({
    jobs: {
      async stagedWithGap(_, before) {
        asked.push(before.getTime());
        return row.status === 'staged' ? ['j'] : [];
      },
      async update(_, change) {
        row = change(row) ?? row;
        return row;
      },
    },
    scans: { requeue: async () => [] },
    wake: async () => {},
    dispatch: async ({ id }) => void dispatched.push(id),
    javaSince: async () => (since === null ? null : new Date(since)),
    searchFactor: 1,
    now: () => new Date(time),
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  const during = async (ms: number) => {
    for (const end = time + ms; time < end; time += 1_000) await look();
  };
  const stage = () => {
    row = { ...row, status: 'staged' };
  };
  /** A new index, as after DATA_DIR was emptied. */
  const arriveAgain = () => {
    since = time;
  };
  return { during, stage, arriveAgain, dispatched, asked, job: () => row };
}

it('S9: a job that was staged without the index is scanned again when that arrives', async () => {
  const { during, dispatched, job } = setUp('staged', 9 * HOUR_MS);
  await during(1_000);
  expect(job()).toMatchObject({ status: 'scan_queued', timeline: [{ status: 'scan_queued' }] });
  expect(dispatched).toEqual(['j']);
});

it('nothing is searched without the index', async () => {
  const { during, asked } = setUp('staged', null);
  await during(HOUR_MS);
  expect(asked).toEqual([]);
});

it('only once, where another worker still lacks the index', async () => {
  const { during, stage, dispatched } = setUp('staged', 10 * HOUR_MS);
  await during(60_000);
  stage();
  await during(HOUR_MS);
  expect(dispatched).toEqual(['j']);
});

it('once more for the next index', async () => {
  const { during, stage, arriveAgain, dispatched } = setUp('staged', 10 * HOUR_MS);
  await during(HOUR_MS);
  stage();
  await during(HOUR_MS);
  expect(dispatched).toEqual(['j']);
  arriveAgain();
  await during(HOUR_MS);
  expect(dispatched).toEqual(['j', 'j']);
});

it('jobs that end soon after the index arrived are found too; then the search stops', async () => {
  const { during, stage, dispatched, asked } = setUp('scanning', 10 * HOUR_MS);
  await during(HOUR_MS / 4);
  stage();
  await during(HOUR_MS);
  expect(dispatched).toEqual(['j']);
  const before = asked.length;
  await during(HOUR_MS);
  expect(asked.length).toBe(before);
});
