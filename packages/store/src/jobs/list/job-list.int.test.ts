import type { JobOrder, StagingJob } from '@portcullis/domain';
import { everyItem } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { storeOfTwo } from '../../two-accounts.fixture.ts';

const given = storeOfTwo();

const SOURCE = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;

let inserted = 0;

/** Ids grow, because they decide between equal times. */
function insert(image: string, owner = given.ada): Promise<StagingJob> {
  const id = `0199d1f0-0000-7000-8000-${String(++inserted).padStart(12, '0')}`;
  return given.store.jobs.insert({ id, ownerId: owner.id, image, tag: '1', source: SOURCE });
}

/** Every page of the list, two jobs at a time. */
async function listed(order: JobOrder): Promise<string[]> {
  const jobs = await everyItem((cursor) => given.store.jobs.list({ order, limit: 2, cursor }));
  return jobs.map(({ id }) => id);
}

describe('the order of the list', () => {
  it('is kept across pages: each job once, and equal ones newest first', async () => {
    const b1 = await insert('b');
    const a1 = await insert('a', given.bob);
    const c = await insert('c');
    const a2 = await insert('a');
    const a3 = await insert('a', given.bob);
    await given.store.jobs.requestCancel(c.id);
    await given.sql.query(`UPDATE staging_jobs SET created_at = '2026-01-01' WHERE id = ANY($1)`, [
      [a1.id, a2.id],
    ]);
    const names = new Map(
      Object.entries({ b1, a1, c, a2, a3 }).map(([name, { id }]) => [id, name]),
    );
    const order = async (by: JobOrder) => (await listed(by)).map((id) => names.get(id)).join(' ');
    expect(await order('-created_at')).toBe('a3 c b1 a2 a1');
    expect(await order('created_at')).toBe('a1 a2 b1 c a3');
    expect(await order('image')).toBe('a3 a2 a1 b1 c');
    expect(await order('-image')).toBe('c b1 a3 a2 a1');
    expect(await order('status')).toBe('c a3 b1 a2 a1');
    expect(await order('-status')).toBe('a3 b1 a2 a1 c');
    expect(await order('owner')).toBe('c b1 a2 a3 a1');
    expect(await order('-owner')).toBe('a3 a1 c b1 a2');
    for (const [job, verdict] of [
      [a1, 'clean'],
      [b1, 'clean'],
      [a2, 'blocked'],
      [c, 'error'],
    ] as const)
      await given.sql.query('UPDATE staging_jobs SET verdict = $1 WHERE id = $2', [
        verdict,
        job.id,
      ]);
    expect(await order('verdict')).toBe('a2 c a3 b1 a1');
    expect(await order('-verdict')).toBe('b1 a1 a3 c a2');
  });

  it('takes no cursor of another order, and none that it did not issue', async () => {
    await insert('a');
    await insert('b');
    const { nextCursor: cursor } = await given.store.jobs.list({ order: 'image', limit: 1 });
    const forged = Buffer.from('["status",1,"x","a"]').toString('base64url');
    for (const wrong of [cursor, forged, 'x'])
      for (const order of ['status', 'verdict'] as const)
        await expect(given.store.jobs.list({ order, cursor: wrong })).rejects.toMatchObject({
          code: 'CURSOR_INVALID',
        });
    const id = '0190b5a2-0000-7000-8000-000000000000';
    const fresh = Buffer.from(JSON.stringify(['verdict', 1, id, 'x'])).toString('base64url');
    const listing = given.store.jobs.list({ order: 'verdict', cursor: fresh });
    await expect(listing).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('by image begins a late page in the index', async () => {
    await given.sql.query(
      `INSERT INTO staging_jobs (id, owner_id, status, image, tag, source, progress, overrides)
       SELECT gen_random_uuid(), $1, 'staged', 'image-' || n, '1', '{}', '{}', '{}' FROM generate_series(1, 20000) n`,
      [given.ada.id],
    );
    await given.sql.query('ANALYZE staging_jobs');
    const { rows } = await given.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM staging_jobs WHERE image >= 'image-3' AND (image > 'image-3' OR (image = 'image-3'
         AND (created_at < now() OR (created_at = now() AND id < gen_random_uuid()))))
       ORDER BY image, created_at DESC, id DESC LIMIT 51`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('staging_jobs_image_created_at_id_idx');
    expect(plan).not.toContain('Sort');
  });

  it('by verdict reads each verdict from the index', async () => {
    await given.sql.query(
      `INSERT INTO staging_jobs (id, owner_id, status, verdict, image, tag, source, progress, overrides)
       SELECT gen_random_uuid(), $1, 'staged', (ARRAY['clean', 'blocked'])[1 + n % 2], 'a', '1', '{}', '{}', '{}' FROM generate_series(1, 20000) n`,
      [given.ada.id],
    );
    await given.sql.query('ANALYZE staging_jobs');
    const { rows } = await given.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM staging_jobs WHERE verdict = 'error' ORDER BY created_at DESC, id DESC LIMIT 51`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('staging_jobs_verdict_created_at_id_idx');
    expect(plan).not.toContain('Sort');
  });
});

it('has the jobs that were requested in a range, the end excluded', async () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  for (const day of days) {
    const { id } = await insert(day);
    await given.sql.query('UPDATE staging_jobs SET created_at = $1 WHERE id = $2', [
      `${day}T00:00Z`,
      id,
    ]);
  }
  const within = async (since?: string, until?: string) => {
    const range = { since: since && new Date(since), until: until && new Date(until) };
    const { items } = await given.store.jobs.list({
      since: range.since || undefined,
      until: range.until || undefined,
    });
    return items.map(({ image }) => image);
  };
  expect(await within('2026-01-02')).toEqual(['2026-01-03', '2026-01-02']);
  expect(await within(undefined, '2026-01-02')).toEqual(['2026-01-01']);
  expect(await within('2026-01-02', '2026-01-03')).toEqual(['2026-01-02']);
});
