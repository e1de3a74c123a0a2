/**
 * An api that is killed between the row and the end of its transaction; see
 * packages/store/src/idempotency.ts.
 */
import { eventually, json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiEnvironment, openApiEnvironment } from './api-process.fixture.ts';

let environment: ApiEnvironment;
let headers: Record<string, string>;

beforeAll(async () => {
  environment = await openApiEnvironment();
  await environment.store.folders.insertFolder({ name: 'team' });
  await environment.sql.query(
    `INSERT INTO registries (id, name, host) VALUES ('${OUTSIDE}', 'outside', 'registry.example')`,
  );
  headers = await environment.session('root', { isAdmin: true });
});
afterAll(() => environment?.[Symbol.asyncDispose]());

/**
 * Delays the statement after the one that creates the rows, so that the process can be killed
 * there.
 */
const SLOW_CLAIM = `
  CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$;
  CREATE TRIGGER slow BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION slow()`;
/** Waits until the killed process's statement has ended. */
const FAST_CLAIM = 'DROP TRIGGER slow ON idempotency_keys; DROP FUNCTION slow()';

async function count(table: 'staging_jobs' | 'transfers'): Promise<number> {
  const { rows } = await environment.sql.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

async function sleepingBackends(): Promise<number> {
  const { rows } = await environment.sql.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
  );
  return Number(rows[0]?.count);
}

const OUTSIDE = '01970000-0000-7000-8000-000000000001';
const PULL = { path: '/api/staging/pull', body: { image: 'library/alpine', tag: '3' } };
const TRANSFER = {
  path: '/api/transfer',
  body: {
    dest_folder: 'team',
    source_registry_id: OUTSIDE,
    images: Array.from({ length: 1_000 }, (_, n) => ({ repository: `lib/app-${n}`, tag: '1' })),
  },
};

describe('F4: an Idempotency-Key survives a crash', () => {
  it.each([
    { what: 'a pull', order: PULL, jobs: 1 },
    { what: 'a transfer of a thousand images', order: TRANSFER, jobs: 1_000 },
  ])(
    '$what whose api was killed before the commit leaves nothing, and its repeat makes one',
    async ({ order: { path, body }, jobs }) => {
      const before = { jobs: await count('staging_jobs'), transfers: await count('transfers') };
      const send = (url: string) =>
        fetch(url + path, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': `key-of-${jobs}` },
          body: JSON.stringify(body),
        });
      await environment.sql.query(SLOW_CLAIM);
      const first = await environment.start();
      let end = 'none';
      const ended = send(first.url).then(
        async (answer) => {
          end = await answer.text();
        },
        () => {
          end = 'cut off';
        },
      );
      await expect
        .poll(async () => ({ sleeping: await sleepingBackends(), end }))
        .toEqual({ sleeping: 1, end: 'none' });
      await first.kill();
      await ended;
      expect(end).toBe('cut off');
      await environment.sql.query(FAST_CLAIM);
      expect(await count('staging_jobs')).toBe(before.jobs);

      const second = await environment.start();
      // A repeat waits five seconds for the first request, and a busy database may not be in time.
      const isTemporary = (status: number) => status === 409 || status === 503;
      const accepted = () =>
        eventually(
          () => send(second.url),
          ({ status }) => !isTemporary(status),
        );
      const answers = await Promise.all([accepted(), accepted()]);
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      const [one, two] = await Promise.all(answers.map(json));
      expect(one).toEqual(two);
      expect(await count('staging_jobs')).toBe(before.jobs + jobs);
      expect(await count('transfers')).toBe(before.transfers + (jobs > 1 ? 1 : 0));
      await second.kill();
    },
  );
});
