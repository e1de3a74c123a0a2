import type { Sealer } from '@portcullis/runtime';
import { createAudit } from './audit.ts';
import { openDatabase, run } from './database.ts';
import { createFigures } from './figures.ts';
import { createFolders } from './folders.ts';
import { createGroups } from './groups.ts';
import { createIdentities } from './identities.ts';
import { createImageReports } from './image-reports.ts';
import { createImageScans } from './image-scans.ts';
import { createImages } from './images.ts';
import { createJobReports } from './job-reports.ts';
import { createJobs } from './jobs.ts';
import { createMaintenance } from './maintenance.ts';
import { createOutbox } from './outbox.ts';
import type { Store } from './port.ts';
import { createReferrers } from './referrers.ts';
import { createRegistries } from './registries.ts';
import { createRescans } from './rescans.ts';
import { createSchedules } from './schedules.ts';
import { createSecrets } from './secrets.ts';
import { createSessions } from './sessions.ts';
import { createSettings } from './settings.ts';
import { createStorages } from './storages.ts';
import { createPersonalTokens } from './tokens.ts';
import { followed } from './trail.ts';
import { createTransfers } from './transfers.ts';
import { createUsers } from './users.ts';

/** Connects when it is first asked something. The tables must be there: see `migrate`. */
export function openStore(databaseUrl: string, sealer: Sealer): Store {
  const client = openDatabase(databaseUrl);
  const db = followed(client);
  return {
    users: createUsers(db),
    identities: createIdentities(db),
    sessions: createSessions(db),
    tokens: createPersonalTokens(db),
    jobs: createJobs(db, sealer),
    transfers: createTransfers(db),
    schedules: createSchedules(db),
    registries: createRegistries(db, sealer),
    images: createImages(db),
    folders: createFolders(db),
    groups: createGroups(db),
    audit: createAudit(db),
    outbox: createOutbox(client),
    settings: createSettings(db),
    secrets: createSecrets(db),
    referrers: createReferrers(db),
    maintenance: createMaintenance(db),
    reports: createImageReports(db),
    jobReports: createJobReports(db),
    scans: createImageScans(db),
    rescans: createRescans(db),
    figures: createFigures(db),
    storages: createStorages(db),
    async ping() {
      await run(() => db.$queryRaw`SELECT 1`);
    },
    close: () => client.$disconnect(),
  };
}
