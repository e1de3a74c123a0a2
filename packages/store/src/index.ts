export {
  assertKnownMigrations,
  type Dump,
  type DumpedTable,
  hasAccounts,
  restoreDump,
  withDump,
} from './dump.ts';
export { type DatabaseFacts, inspectDatabase } from './inspect.ts';
export { JOB_LEASE_MS, JOB_RENEWAL_MS } from './job-fence.ts';
export { migrate } from './migrate.ts';
export { migrationNames } from './migration-files.ts';
export { openStore } from './open-store.ts';
export { decodeCursor, encodeCursor } from './page.ts';
export * from './port.ts';
export { assertSchema } from './schema-version.ts';
