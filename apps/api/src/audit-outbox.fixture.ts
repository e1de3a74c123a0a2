/** What audit-outbox.attack.int and audit-outbox.attack.night start, and how they look at it. */
import { randomUUID } from 'node:crypto';
import { recent } from '@portcullis/events';
import { startSmtp, type TestSmtp } from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';
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
