import { Prisma } from './database.ts';

/**
 * When a lease on maintenance, a scan or a rescan ends unless its worker renews it. A worker that
 * has not renewed for this long counts as dead.
 */
export const LEASE = Prisma.sql`now() + interval '15 seconds'`;
