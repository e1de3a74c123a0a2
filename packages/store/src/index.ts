export { JOB_LEASE_MS, JOB_RENEWAL_MS } from './job-fence.ts';
export { migrate } from './migrate.ts';
export { openStore } from './open-store.ts';
export * from './port.ts';
