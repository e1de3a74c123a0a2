/** What the scanner remembers of layers: in Redis and, durable, in the database. */
import { openSql } from '@portcullis/testing';
import type { Harness } from './harness.ts';

type Memory = Pick<Harness, 'redis' | 'databaseUrl'>;

export function rememberedLayers({ redis }: Memory): Promise<string[]> {
  return redis.keys('fanal::blob::*');
}

/** Forgets these layers, or all. */
export async function forgetLayers(memory: Memory, keys?: readonly string[]): Promise<void> {
  const forgotten = keys ?? (await rememberedLayers(memory));
  const sql = await openSql(memory.databaseUrl);
  try {
    await sql.query('DELETE FROM scan_analyses WHERE key = ANY($1)', [forgotten]);
  } finally {
    await sql.end();
  }
  await memory.redis.del(...forgotten);
}
