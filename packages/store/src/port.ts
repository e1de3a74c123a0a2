/**
 * All ports of the store. Verbs: `find` (or null), `get` (or not_found), `list`, `insert`,
 * `update`, `remove`.
 */

import type { Folders, Groups } from './accounts/folders-port.ts';
import type { Identities, PersonalTokens, Sessions, Users } from './accounts/port.ts';
import type { IdentityTrusts, Robots } from './accounts/robots-port.ts';
import type { AuditArchive, Outbox } from './audit/port.ts';
import type { ThreatFeedStore } from './feeds/port.ts';
import type { FolderContents } from './folders/folder-contents-port.ts';
import type { FolderOverviews } from './folders/folder-overviews-port.ts';
import type { PassRecords, Policies, Waivers } from './gate/port.ts';
import type { KeptStandings } from './gate/standings-port.ts';
import type { Images } from './images/port.ts';
import type { Referrers } from './images/referrers-port.ts';
import type { Registries } from './images/registries-port.ts';
import type { JobReports } from './jobs/job-reports-port.ts';
import type { Jobs } from './jobs/port.ts';
import type { Storages } from './jobs/storages-port.ts';
import type { Figures } from './maintenance/figures-port.ts';
import type { Maintenance } from './maintenance/port.ts';
import type { Secrets } from './maintenance/secrets-port.ts';
import type { Settings } from './maintenance/settings-port.ts';
import type { Notifications } from './notifications/notifications-port.ts';
import type { ScanAnalyses } from './reports/analyses-port.ts';
import type { ImageReports, ImageScans } from './reports/port.ts';
import type { Rematches } from './reports/rematches-port.ts';
import type { Rescans } from './reports/rescans-port.ts';
import type { Vulnerabilities } from './reports/vulnerabilities-port.ts';
import type { Search } from './search/search-port.ts';
import type { Schedules, Transfers } from './transfers/port.ts';
import type { WebhookDeliveries, Webhooks } from './webhooks/webhooks-port.ts';

export * from './accounts/folders-port.ts';
export * from './accounts/port.ts';
export * from './accounts/robots-port.ts';
export * from './audit/port.ts';
export * from './feeds/port.ts';
export * from './folders/folder-contents-port.ts';
export * from './folders/folder-overviews-port.ts';
export * from './gate/port.ts';
export type * from './gate/standings-port.ts';
export * from './images/port.ts';
export * from './images/referrers-port.ts';
export * from './images/registries-port.ts';
export * from './jobs/job-reports-port.ts';
export * from './jobs/new-job.ts';
export * from './jobs/port.ts';
export * from './jobs/storages-port.ts';
export * from './maintenance/figures-port.ts';
export * from './maintenance/port.ts';
export * from './maintenance/secrets-port.ts';
export * from './maintenance/settings-port.ts';
export * from './notifications/notifications-port.ts';
export * from './page-port.ts';
export * from './reports/analyses-port.ts';
export * from './reports/port.ts';
export * from './reports/rematches-port.ts';
export * from './reports/rescans-port.ts';
export * from './reports/vulnerabilities-port.ts';
export * from './search/search-port.ts';
export * from './transfers/port.ts';
export * from './webhooks/webhooks-port.ts';

export interface Store {
  users: Users;
  identities: Identities;
  sessions: Sessions;
  tokens: PersonalTokens;
  robots: Robots;
  identityTrusts: IdentityTrusts;
  jobs: Jobs;
  transfers: Transfers;
  schedules: Schedules;
  registries: Registries;
  images: Images;
  folders: Folders;
  folderOverviews: FolderOverviews;
  folderContents: FolderContents;
  groups: Groups;
  policies: Policies;
  waivers: Waivers;
  passRecords: PassRecords;
  standings: KeptStandings;
  audit: AuditArchive;
  outbox: Outbox;
  settings: Settings;
  secrets: Secrets;
  referrers: Referrers;
  maintenance: Maintenance;
  reports: ImageReports;
  vulnerabilities: Vulnerabilities;
  jobReports: JobReports;
  scans: ImageScans;
  rescans: Rescans;
  analyses: ScanAnalyses;
  rematches: Rematches;
  search: Search;
  figures: Figures;
  storages: Storages;
  feeds: ThreatFeedStore;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
  notifications: Notifications;
  /** @throws unavailable `DATABASE_UNAVAILABLE` */
  ping(): Promise<void>;
  close(): Promise<void>;
}
