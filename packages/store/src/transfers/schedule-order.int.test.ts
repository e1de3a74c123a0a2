/** The orders of the list of schedules and their pages, on a real PostgreSQL. */
import { SCHEDULE_ORDERS, type ScheduleOrder } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Schedule, type Store } from '../index.ts';

const ALL = 40;

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  const sql = await openSql(database.url);
  // A third is paused, a quarter never ran, and several have the same name and times.
  await sql.query(`
    INSERT INTO users (id, username, username_key) VALUES (gen_random_uuid(), 'ada', 'ada');
    INSERT INTO transfer_schedules (id, owner_id, name, cron, timezone, request, "order", created_at,
                                    next_run_at, last_run_at)
    SELECT gen_random_uuid(), users.id, 'n' || lpad((n * 7 % 11)::text, 2, '0'), '0 * * * *', 'UTC', '{}', '{}',
           '2026-01-01'::timestamptz + n / 3 * interval '1 ms',
           CASE WHEN n % 3 > 0 THEN '2026-02-01'::timestamptz + n * 7 % 9 * interval '1 hour' END,
           CASE WHEN n % 4 > 0 THEN '2026-01-01'::timestamptz + n * 5 % 9 * interval '1 ms' END
      FROM users, generate_series(1, ${ALL}) n`);
  await sql.end();
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const pages = (sort: ScheduleOrder, limit: number): Promise<Schedule[]> =>
  everyItem(async (cursor) => {
    const page = await store.schedules.list({ sort, limit, cursor });
    expect(page.total).toBe(ALL);
    return page;
  });

const KEYS: Record<string, (schedule: Schedule) => string | null> = {
  created_at: ({ createdAt }) => createdAt.toISOString(),
  name: ({ name }) => name,
  next_run: ({ nextRunAt }) => nextRunAt?.toISOString() ?? null,
  last_run: ({ lastRunAt }) => lastRunAt?.toISOString() ?? null,
};

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function sorted(schedules: readonly Schedule[], order: ScheduleOrder): Schedule[] {
  const direction = order.startsWith('-') ? -1 : 1;
  const key = KEYS[order.replace('-', '')] ?? (() => '');
  return schedules.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return compare(a, b) * direction;
  });
}

it.each(SCHEDULE_ORDERS)('the pages by %s are all schedules in order', async (order) => {
  const newest = await pages('-created_at', 200);
  // In the order by time the id decides about equal ones in the same direction.
  const before = order === 'created_at' ? newest.toReversed() : newest;
  const expected = sorted(before, order).map(({ id }) => id);
  for (const limit of [1, 7, ALL])
    expect((await pages(order, limit)).map(({ id }) => id)).toEqual(expected);
});

it('a cursor of one order is none of another', async () => {
  const { nextCursor: cursor } = await store.schedules.list({ sort: '-next_run', limit: 3 });
  for (const sort of ['next_run', 'name', '-last_run'] as const)
    await expect(store.schedules.list({ sort, cursor })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
});

it.each(['soon', '-1', '1e3'])('a cursor with the time %j is refused', async (value) => {
  const place = ['next_run', 0, '01935af1-0000-7000-8000-000000000000', value];
  const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
  await expect(store.schedules.list({ sort: 'next_run', cursor })).rejects.toMatchObject({
    code: 'CURSOR_INVALID',
  });
});
