import { setTimeout as pause } from 'node:timers/promises';
import { conflict } from '@portcullis/errors';
import type { Database } from './database.ts';
import { run, takenIndex } from './database.ts';

interface Key {
  key: string;
  userId: string;
  bodyHash: string;
}

interface Answer {
  ids: string[];
  replayed: boolean;
}

const KEPT_HOURS = 24;
/** A claim without ids after so long belongs to a process that died. */
const CLAIM_MS = 30_000;
const POLL_MS = 50;
const PATIENCE_MS = 10_000;

/** The row is claimed first, with no ids, then filled: of two requests at once, one creates and the other waits. */
export async function claimIdempotently(
  db: Database,
  key: Key,
  create: () => Promise<string[]>,
): Promise<Answer> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  await forgetOld(db, key);
  while (!(await claim(db, key))) {
    const answer = await earlierAnswer(db, key);
    if (answer) return answer;
    if (Date.now() > giveUpAt)
      throw conflict('IDEMPOTENCY_KEY_IN_USE', 'a request with this key is still running');
    await pause(POLL_MS);
  }
  return fill(db, key, create);
}

async function forgetOld(db: Database, { userId }: Key): Promise<void> {
  const old = new Date(Date.now() - KEPT_HOURS * 3_600_000);
  const abandoned = { ids: { isEmpty: true }, createdAt: { lt: new Date(Date.now() - CLAIM_MS) } };
  await run(() =>
    db.idempotencyKey.deleteMany({ where: { userId, OR: [{ createdAt: { lt: old } }, abandoned] } }),
  );
}

async function claim(db: Database, { key, userId, bodyHash }: Key): Promise<boolean> {
  try {
    await run(() => db.idempotencyKey.create({ data: { key, userId, bodyHash } }));
    return true;
  } catch (error) {
    if (takenIndex(error) === null) throw error;
    return false;
  }
}

async function earlierAnswer(db: Database, { key, userId, bodyHash }: Key): Promise<Answer | null> {
  const row = await run(() => db.idempotencyKey.findUnique({ where: { userId_key: { userId, key } } }));
  if (row && row.bodyHash !== bodyHash) {
    throw conflict('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used with another body');
  }
  return row && row.ids.length > 0 ? { ids: row.ids, replayed: true } : null;
}

async function fill(db: Database, { key, userId }: Key, create: () => Promise<string[]>): Promise<Answer> {
  const where = { userId_key: { userId, key } };
  try {
    const ids = await create();
    await run(() => db.idempotencyKey.update({ where, data: { ids } }));
    return { ids, replayed: false };
  } catch (error) {
    // A request that was refused leaves nothing behind: its key may be used again.
    await db.idempotencyKey.deleteMany({ where: { userId, key, ids: { isEmpty: true } } }).catch(() => {});
    throw error;
  }
}
