/**
 * What the store keeps, and the list of its parts. Verbs: `find` (or null), `get` (or not_found),
 * `list`, `insert`, `update`, `remove`.
 */
export * from './accounts/records.ts';
export * from './audit/records.ts';
export * from './authorities/records.ts';
export * from './clusters/records.ts';
export * from './feeds/records.ts';
export * from './folders/records.ts';
export * from './gate/records.ts';
export type { IdempotentWrites } from './idempotency.ts';
export * from './images/records.ts';
export * from './jobs/new-job.ts';
export * from './jobs/records.ts';
export * from './maintenance/records.ts';
export * from './mirrors/records.ts';
export * from './notifications/records.ts';
export type { Store } from './open-store.ts';
export type { Page, PageOptions, WaitingCount } from './page.ts';
export * from './reports/records.ts';
export * from './reviews/records.ts';
export * from './search/records.ts';
export * from './statements/records.ts';
export * from './transfers/records.ts';
export * from './webhooks/records.ts';
