export { readFeedFile } from './feeds/read-feed-file.ts';
export { JOB_LEASE_MS, JOB_RENEWAL_MS } from './jobs/job-fence.ts';
export { openStore } from './open-store.ts';
export { decodeCursor, encodeCursor } from './page.ts';
export * from './port.ts';
export {
  assertKnownMigrations,
  type Dump,
  type DumpedTable,
  hasAccounts,
  restoreDump,
  withDump,
} from './schema/dump.ts';
export { type DatabaseFacts, inspectDatabase } from './schema/inspect.ts';
export { migrate } from './schema/migrate.ts';
export { migrationNames } from './schema/migration-files.ts';
export { markRestore, unfinishedRestore, unmarkRestore } from './schema/restore-mark.ts';
export { assertSchema } from './schema/schema-version.ts';
