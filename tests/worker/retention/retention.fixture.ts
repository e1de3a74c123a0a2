/** What retention.int and retention.night start, and how they look at it. */
import type { RetentionRule } from '@portcullis/domain/retention';
import type { RetentionRun } from '@portcullis/store';
import { eventually, openSql, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from '../harness.ts';

const DAY_MS = 86_400_000;

export const ENV = { RECONCILE_SECONDS: '86400' };

export let harness: Harness;

export let worker: WorkerProcess;

export let sql: Awaited<ReturnType<typeof openSql>>;

let folders = 0;

/** A separate folder, so that no test has another one's tags. */
export async function folderWith(rule: Partial<RetentionRule>, immutableTags: string[] = []) {
  const name = `team${++folders}`;
  const retention = { keepNewest: null, keepDays: null, keep: [], ...rule };
  // Begun by a request alone: the recurring task looks for new rules once an hour.
  const { id } = await harness.store.folders.insertFolder({ name, immutableTags, retention });
  return { id, name, repository: `${name}/app` };
}

/** As a push of so many days ago. */
export async function pushed(repository: string, tag: string, days: number, image?: TestImage) {
  const built = image ?? (await randomImage());
  await pushImage(harness.registry.url, repository, tag, built);
  await harness.store.images.record({
    ...{ repository, tag, digest: built.digest, manifests: [] },
    at: new Date(Date.now() - days * DAY_MS),
  });
  return built;
}

export async function inRegistry(repository: string): Promise<string[]> {
  const answer = await fetch(`${harness.registry.url}/v2/${repository}/tags/list`);
  const { tags } = answer.ok ? ((await answer.json()) as { tags: string[] | null }) : { tags: [] };
  return (tags ?? []).sort();
}

export async function inIndex(repository: string): Promise<string[]> {
  return (await harness.store.images.tagNames(repository)).map(({ tag }) => tag).sort();
}

export async function request(id: string): Promise<void> {
  await harness.store.retention.request(id, 'ann');
  await harness.queues.enqueue({ name: 'apply-retention' });
}

export async function ended(id: string): Promise<RetentionRun | null> {
  const state = async () => (await harness.store.retention.latest(id))?.state ?? null;
  await expect.poll(state).toMatch(/done|failed/);
  return harness.store.retention.latest(id);
}

export function setWorker(value: typeof worker): void {
  worker = value;
}

/** Makes each removal from the index take so long. */
export async function slowDown(repository: string, seconds: number): Promise<void> {
  await sql.query(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(${seconds}); RETURN OLD; END';
    CREATE TRIGGER slow BEFORE DELETE ON local_tags FOR EACH ROW
      WHEN (OLD.repository = '${repository}') EXECUTE FUNCTION slow()`);
}

/** Whether an attempt has ended, and the run waits for another one. */
export async function putBack(id: string): Promise<boolean> {
  const { rows } = await sql.query(
    "SELECT attempts > 0 AND state = 'queued' AS waits FROM retention_runs WHERE folder_id = $1",
    [id],
  );
  return rows[0]?.waits ?? false;
}

export function startRetention(): void {
  beforeAll(async () => {
    harness = await openHarness();
    sql = await openSql(harness.databaseUrl);
    worker = await harness.startWorker(ENV);
    // At its start it may find what a test has pushed, and take it for new.
    await eventually(() => worker.lines.some((line) => line.includes('index is reconciled')));
  });
  afterAll(async () => {
    await sql?.end();
    await harness?.[Symbol.asyncDispose]();
  });
}
