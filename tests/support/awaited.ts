import type { openSql } from '@portcullis/testing';

/** Whether another connection waits for a lock of the table. */
export async function isAwaited(
  database: Awaited<ReturnType<typeof openSql>>,
  table: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
    [table],
  );
  return rowCount !== 0;
}
