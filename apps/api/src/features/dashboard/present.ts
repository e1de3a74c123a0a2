import type { DashboardStats } from '@portcullis/contract';
import { everyDay } from './days.ts';
import { presentFindingDays } from './present-finding-days.ts';
import { databaseAge, type Stats } from './service.ts';

export function presentStats(stats: Stats): DashboardStats {
  const { images, findings, jobs, scanner, asOf } = stats;
  const { enabled, available, version } = scanner;
  return {
    repositories: images.repositories,
    tags: images.tags,
    bytes: images.bytes,
    folders: images.folders,
    largest: images.largest.map(({ name, folder, size, tagCount, updatedAt }) => ({
      name,
      folder,
      size,
      tag_count: tagCount,
      updated_at: updatedAt.toISOString(),
    })),
    disk: stats.disk,
    jobs: { by_status: jobs.byStatus, per_day: everyDay(jobs.days, asOf, NO_JOBS) },
    findings: {
      images_scanned: findings.scanned,
      images_unscanned: findings.unscanned,
      by_severity: findings.counts,
      fixable: findings.fixable,
      per_day: presentFindingDays(findings.days, asOf),
    },
    top_vulnerable: findings.worst.map(({ scannedAt, ...image }) => ({
      ...image,
      scanned_at: scannedAt.toISOString(),
    })),
    scanner: { enabled, available, version, db_age_s: databaseAge(scanner, asOf) },
    registry: { ok: stats.registryOk },
    accounts: stats.accounts,
    attention: stats.attention,
    as_of: asOf.toISOString(),
  };
}

const NO_JOBS = { total: 0, pushed: 0, failed: 0, blocked: 0 };
