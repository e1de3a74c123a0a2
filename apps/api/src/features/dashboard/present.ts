import type { DashboardStats } from '@portcullis/contract';
import { DAYS, databaseAge, type Stats } from './service.ts';

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
    jobs: { by_status: jobs.byStatus, per_day: everyDay(jobs.days, asOf) },
    findings: {
      images_scanned: findings.scanned,
      images_unscanned: findings.unscanned,
      by_severity: findings.counts,
      fixable: findings.fixable,
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

/** A chart wants the days on which nothing happened, too. */
function everyDay(days: Stats['jobs']['days'], asOf: Date): DashboardStats['jobs']['per_day'] {
  const known = new Map(days.map((each) => [each.day, each]));
  return Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(asOf.getTime() - (DAYS - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return known.get(day) ?? { day, total: 0, pushed: 0, failed: 0, blocked: 0 };
  });
}
