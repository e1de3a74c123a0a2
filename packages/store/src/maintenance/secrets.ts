/**
 * Finds and reseals every sealed text in the database: to change the key, and to list the keys in
 * use.
 */
import { isAppError } from '@portcullis/errors';
import { keyIdOf } from '@portcullis/runtime';
import type { Database } from '../database.ts';
import { run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { Resealed, Reseals } from './records.ts';

const BATCH = 100;

interface Batch {
  /** A sealed text, and how to replace it if it is unchanged. */
  sealed: string;
  replace(next: string): Promise<unknown>;
}

export function createSecrets(db: Database) {
  async function* batches(): AsyncGenerator<Batch[]> {
    yield* registries(db);
    yield* jobCredentials(db);
    yield* webhooks(db);
    yield* signingKeys(db);
  }

  return {
    /** Number of sealed texts by key id. */
    async keyIds(): Promise<Record<string, number>> {
      const counts = new Map<string, number>();
      const count = (sealed: string) => {
        const id = keyIdOf(sealed);
        if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
      };
      for await (const batch of batches()) for (const { sealed } of batch) count(sealed);
      for (const { value } of await run(() => db.setting.findMany()))
        mapTexts(value, observe(count));
      return Object.fromEntries(counts);
    },
    /** Can be interrupted at any point and run again. */
    async reseal(options: Reseals): Promise<Resealed> {
      const progress: Resealed = { done: 0, unreadable: 0 };
      await resealSettings(db, options, progress);
      for await (const batch of batches()) {
        await resealBatch(batch, options, progress);
        options.onProgress?.({ ...progress });
      }
      return progress;
    },
  };
}

function observe(look: (text: string) => void): (text: string) => string {
  return (text) => {
    look(text);
    return text;
  };
}

/** A concurrent write by another process is kept: the next run finds it. */
async function resealBatch(batch: Batch[], options: Reseals, progress: Resealed): Promise<void> {
  for (const { sealed, replace } of batch) {
    const next = resealOne(sealed, options, progress);
    if (next !== sealed) await run(() => replace(next));
  }
}

function resealOne(sealed: string, { keyId, reseal }: Reseals, progress: Resealed): string {
  const id = keyIdOf(sealed);
  if (id === keyId || id === null) return sealed;
  try {
    const next = reseal(sealed);
    progress.done++;
    return next;
  } catch (error) {
    if (!isAppError(error)) throw error;
    progress.unreadable++;
    return sealed;
  }
}

/** Few and small, so one transaction, which waits for a process that is saving a setting. */
async function resealSettings(db: Database, options: Reseals, progress: Resealed): Promise<void> {
  await run(() =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE settings IN SHARE ROW EXCLUSIVE MODE`;
      for (const { key, value } of await tx.setting.findMany()) {
        const before = progress.done;
        const next = mapTexts(value, (text) => resealOne(text, options, progress));
        if (next && progress.done > before)
          await tx.setting.update({ where: { key }, data: { value: json(next) } });
      }
    }),
  );
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]),
  );
}

async function* registries(db: Database): AsyncGenerator<Batch[]> {
  for (let last = ''; ; ) {
    const where = { sealedPassword: { not: null }, ...(last && { id: { gt: last } }) };
    const rows = await run(() =>
      db.registry.findMany({ where, orderBy: { id: 'asc' }, take: BATCH }),
    );
    yield rows.map(({ id, sealedPassword }) => ({
      sealed: sealedPassword ?? '',
      replace: (next) =>
        db.registry.updateMany({ where: { id, sealedPassword }, data: { sealedPassword: next } }),
    }));
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return;
    last = end.id;
  }
}

/** At most a few hundred. */
async function* webhooks(db: Database): AsyncGenerator<Batch[]> {
  const rows = await run(() => db.webhook.findMany({ orderBy: { id: 'asc' } }));
  yield rows.flatMap(({ id, sealedUrl, sealedSecret, sealedPreviousSecret }) => {
    const column = (name: string, sealed: string | null): Batch[] =>
      sealed === null
        ? []
        : [
            {
              sealed,
              replace: (next) =>
                db.webhook.updateMany({ where: { id, [name]: sealed }, data: { [name]: next } }),
            },
          ];
    return [
      ...column('sealedUrl', sealedUrl),
      ...column('sealedSecret', sealedSecret),
      ...column('sealedPreviousSecret', sealedPreviousSecret),
    ];
  });
}

/** A few. */
async function* signingKeys(db: Database): AsyncGenerator<Batch[]> {
  const rows = await run(() => db.signingKey.findMany({ where: { sealedKey: { not: null } } }));
  yield rows.map(({ id, sealedKey }) => ({
    sealed: sealedKey ?? '',
    replace: (next) =>
      db.signingKey.updateMany({ where: { id, sealedKey }, data: { sealedKey: next } }),
  }));
}

async function* jobCredentials(db: Database): AsyncGenerator<Batch[]> {
  for (let after: { jobId: string; use: string } | null = null; ; ) {
    const rows = await run(() => nextCredentials(db, after));
    yield rows.map(({ jobId, use, sealed }) => ({
      sealed,
      replace: (next) =>
        db.jobCredential.updateMany({ where: { jobId, use, sealed }, data: { sealed: next } }),
    }));
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return;
    after = end;
  }
}

function nextCredentials(db: Database, after: { jobId: string; use: string } | null) {
  const later = after && {
    OR: [{ jobId: { gt: after.jobId } }, { jobId: after.jobId, use: { gt: after.use } }],
  };
  return db.jobCredential.findMany({
    ...(later && { where: later }),
    orderBy: [{ jobId: 'asc' }, { use: 'asc' }],
    take: BATCH,
  });
}
