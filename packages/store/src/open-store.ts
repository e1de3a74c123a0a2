import type { Sealer } from '@portcullis/runtime';
import { createFolders } from './accounts/folders.ts';
import { createGroups } from './accounts/groups.ts';
import { createIdentities } from './accounts/identities.ts';
import { createIdentityTrusts } from './accounts/identity-trusts.ts';
import { createRobots } from './accounts/robots.ts';
import { createSessions } from './accounts/sessions.ts';
import { createPersonalTokens } from './accounts/tokens.ts';
import { createUsers } from './accounts/users.ts';
import { createAudit } from './audit/audit.ts';
import { followScope } from './audit/audit-scope.ts';
import { createOutbox } from './audit/outbox.ts';
import { createAuthorities } from './authorities/authorities.ts';
import { createSignatureFacts } from './authorities/signature-facts.ts';
import { createClusters } from './clusters/clusters.ts';
import { createImagesInUse } from './clusters/images-in-use.ts';
import { createRunningImages } from './clusters/running-images.ts';
import { openDatabase, run } from './database.ts';
import { createThreatFeeds } from './feeds/threat-feeds.ts';
import { createFolderContents } from './folders/folder-contents.ts';
import { createFolderOverviews } from './folders/folder-overviews.ts';
import { createRetention } from './folders/retention.ts';
import { createPassRecords } from './gate/pass-records.ts';
import { createPolicies } from './gate/policies.ts';
import { createStandings } from './gate/standings.ts';
import { createWaivers } from './gate/waivers.ts';
import { createImages } from './images/images.ts';
import { createReferrers } from './images/referrers.ts';
import { createRegistries } from './images/registries.ts';
import { createSightings } from './images/sightings.ts';
import { createJobReports } from './jobs/job-reports.ts';
import { createJobs } from './jobs/jobs.ts';
import { createStorages } from './jobs/storages.ts';
import { createFigures } from './maintenance/figures.ts';
import { createMaintenance } from './maintenance/maintenance.ts';
import { createSecrets } from './maintenance/secrets.ts';
import { createSettings } from './maintenance/settings.ts';
import { createMirrorAttempts } from './mirrors/mirror-attempts.ts';
import { createMirrors } from './mirrors/mirrors.ts';
import { createNotifications } from './notifications/notifications.ts';
import { createAdvisories } from './reports/advisories.ts';
import { createScanAnalyses } from './reports/analyses.ts';
import { createExposure } from './reports/exposure.ts';
import { createImageReports } from './reports/image-reports.ts';
import { createImageScans } from './reports/image-scans.ts';
import { createRematches } from './reports/rematches.ts';
import { createRescans } from './reports/rescans.ts';
import { createVulnerabilities } from './reports/vulnerabilities.ts';
import { createReviews } from './reviews/reviews.ts';
import { createSearch } from './search/search.ts';
import { createPromotions } from './statements/promotions.ts';
import { createSigningKeys } from './statements/signing-keys.ts';
import { createStatements } from './statements/statements.ts';
import { createSchedules } from './transfers/schedules.ts';
import { createTransfers } from './transfers/transfers.ts';
import { createWebhookDeliveries } from './webhooks/webhook-deliveries.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/**
 * Connects on first use. The tables must exist: see `migrate`.
 *
 * @param poolSize the most connections at once
 */
export function openStore(databaseUrl: string, sealer: Sealer, poolSize?: number) {
  const client = openDatabase(databaseUrl, poolSize);
  const db = followScope(client);
  return {
    users: createUsers(db),
    identities: createIdentities(db),
    sessions: createSessions(db),
    tokens: createPersonalTokens(db),
    robots: createRobots(db),
    identityTrusts: createIdentityTrusts(db),
    jobs: createJobs(db, sealer),
    transfers: createTransfers(db),
    schedules: createSchedules(db),
    registries: createRegistries(db, sealer),
    mirrors: createMirrors(db, sealer),
    mirrorAttempts: createMirrorAttempts(db),
    images: createImages(db),
    sightings: createSightings(db),
    folders: createFolders(db),
    folderOverviews: createFolderOverviews(db),
    folderContents: createFolderContents(db),
    groups: createGroups(db),
    policies: createPolicies(db),
    authorities: createAuthorities(db),
    signatureFacts: createSignatureFacts(db),
    signingKeys: createSigningKeys(db, sealer),
    statements: createStatements(db),
    clusters: createClusters(db),
    runningImages: createRunningImages(db),
    imagesInUse: createImagesInUse(db),
    promotions: createPromotions(db),
    waivers: createWaivers(db),
    reviews: createReviews(db),
    passRecords: createPassRecords(db),
    standings: createStandings(db),
    audit: createAudit(db),
    outbox: createOutbox(client),
    settings: createSettings(db),
    secrets: createSecrets(db),
    referrers: createReferrers(db),
    maintenance: createMaintenance(db),
    reports: createImageReports(db),
    advisories: createAdvisories(db),
    vulnerabilities: createVulnerabilities(db),
    exposure: createExposure(db),
    jobReports: createJobReports(db),
    scans: createImageScans(db),
    rescans: createRescans(db),
    retention: createRetention(db),
    analyses: createScanAnalyses(db),
    rematches: createRematches(db),
    search: createSearch(db),
    figures: createFigures(db),
    storages: createStorages(db),
    feeds: createThreatFeeds(db),
    webhooks: createWebhooks(db, sealer),
    webhookDeliveries: createWebhookDeliveries(db, sealer),
    notifications: createNotifications(db),
    /** @throws unavailable `DATABASE_UNAVAILABLE` */
    async ping(): Promise<void> {
      // Changes no row, and fails where the server takes no writes.
      await run(() => client.$executeRaw`UPDATE settings SET key = key WHERE false`);
    },
    close: () => client.$disconnect(),
  };
}

export type Store = ReturnType<typeof openStore>;
