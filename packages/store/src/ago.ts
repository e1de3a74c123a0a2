import { Prisma } from './database.ts';

/**
 * So long ago by the clock of PostgreSQL. What is removed by its age must not depend on the clock
 * of one process, which may be days ahead.
 */
export function ago(milliseconds: number): Prisma.Sql {
  return Prisma.sql`now() - ${milliseconds} * interval '1 millisecond'`;
}
