/** What audit-outbox.attack.int and audit-outbox.attack.night start, and how they look at it. */
import { randomUUID } from 'node:crypto';
import { recent } from '@portcullis/events';
import { startSmtp, type TestSmtp } from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiEnvironment, type ApiProcess, openApiEnvironment } from './api-process.fixture.ts';

export let environment: ApiEnvironment;

export let mail: TestSmtp;

export let api: ApiProcess;

export let headers: Record<string, string>;

export let userId: string;

export const send = (
  path: string,
  body: unknown = {},
  method = 'POST',
  key: string = randomUUID(),
) =>
  fetch(`${api.url}/api${path}`, {
    method,
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify(body),
  });

export const name = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`;

export async function counted(table: string): Promise<number> {
  const { rows } = await environment.sql.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

export const onStream = async (event: string) =>
  (await recent(environment.redis, 1_000)).filter((each) => each.event === event);

export function setApi(value: typeof api): void {
  api = value;
}

/**
 * Delays the statement that completes the event after the change, so that the process can be
 * killed there.
 */
const SLOW_END = `
  CREATE FUNCTION slow_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$;
  CREATE TRIGGER slow_end BEFORE UPDATE ON audit_outbox FOR EACH ROW EXECUTE FUNCTION slow_end()`;

/** Sends a request, and kills the api as soon as its change is visible. */
export async function cutOff<T>(
  path: string,
  body: unknown,
  find: () => Promise<T | null>,
  key?: string,
): Promise<T | null> {
  await environment.sql.query(SLOW_END);
  const cut = send(path, body, 'POST', key).then(
    () => 'answered',
    () => 'cut off',
  );
  await expect.poll(find).not.toBeNull();
  await api.kill();
  expect(await cut).toBe('cut off');
  await environment.sql.query('DROP TRIGGER slow_end ON audit_outbox; DROP FUNCTION slow_end()');
  // The killed process's statement may have completed the event, or not.
  await environment.sql.query(
    `UPDATE audit_outbox SET open_until = now() - interval '1 second' WHERE open_until IS NOT NULL`,
  );
  api = await environment.start();
  return find();
}

export async function idIn(sql: string, values: unknown[]): Promise<string | null> {
  return (await environment.sql.query<{ id: string }>(sql, values)).rows[0]?.id ?? null;
}

export function startAudited(): void {
  beforeAll(async () => {
    [environment, mail] = await Promise.all([openApiEnvironment(), startSmtp()]);
    headers = await environment.session('root', { isAdmin: true });
    userId = (await environment.store.users.insert({ username: 'changed', passwordHash: null })).id;
    api = await environment.start();
  });
  afterAll(async () => {
    await environment?.[Symbol.asyncDispose]();
    await mail?.stop();
  });
}
