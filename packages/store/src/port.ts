/** What the store offers, on one page. Verbs: `find` (or null), `get` (or not_found), `list`, `insert`, `update`, `remove`. */
import type { Identities, PersonalTokens, Sessions, Users } from './port/accounts.ts';
import type { AuditArchive, Outbox } from './port/audit.ts';
import type { Figures } from './port/figures.ts';
import type { Folders, Groups } from './port/folders.ts';
import type { Images } from './port/images.ts';
import type { JobReports } from './port/job-reports.ts';
import type { Jobs } from './port/jobs.ts';
import type { Maintenance } from './port/maintenance.ts';
import type { Referrers } from './port/referrers.ts';
import type { Registries } from './port/registries.ts';
import type { ImageReports, ImageScans } from './port/reports.ts';
import type { Rescans } from './port/rescans.ts';
import type { Secrets } from './port/secrets.ts';
import type { Settings } from './port/settings.ts';
import type { Storages } from './port/storages.ts';
import type { Schedules, Transfers } from './port/transfers.ts';

export * from './port/accounts.ts';
export * from './port/audit.ts';
export * from './port/figures.ts';
export * from './port/folders.ts';
export * from './port/images.ts';
export * from './port/job-reports.ts';
export * from './port/jobs.ts';
export * from './port/maintenance.ts';
export * from './port/page.ts';
export * from './port/referrers.ts';
export * from './port/registries.ts';
export * from './port/reports.ts';
export * from './port/rescans.ts';
export * from './port/secrets.ts';
export * from './port/settings.ts';
export * from './port/storages.ts';
export * from './port/transfers.ts';

export interface Store {
  users: Users;
  identities: Identities;
  sessions: Sessions;
  tokens: PersonalTokens;
  jobs: Jobs;
  transfers: Transfers;
  schedules: Schedules;
  registries: Registries;
  images: Images;
  folders: Folders;
  groups: Groups;
  audit: AuditArchive;
  outbox: Outbox;
  settings: Settings;
  secrets: Secrets;
  referrers: Referrers;
  maintenance: Maintenance;
  reports: ImageReports;
  jobReports: JobReports;
  scans: ImageScans;
  rescans: Rescans;
  figures: Figures;
  storages: Storages;
  /** @throws unavailable `DATABASE_UNAVAILABLE` */
  ping(): Promise<void>;
  close(): Promise<void>;
}
