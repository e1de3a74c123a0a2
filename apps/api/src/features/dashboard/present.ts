import type { DashboardStats, WireSource } from '@portcullis/contract';
import { everyDay } from './days.ts';
import { presentFindingDays } from './present-finding-days.ts';
import { databaseAge, type Stats } from './service.ts';

export function presentStats({
  images,
  findings,
  jobs,
  registryOk,
  ...rest
}: Stats): WireSource<typeof DashboardStats> {
  const { scanner, asOf } = rest;
  return {
    ...images,
    ...rest,
    jobs: { byStatus: jobs.byStatus, perDay: everyDay(jobs.days, asOf, NO_JOBS) },
    findings: {
      imagesScanned: findings.scanned,
      imagesUnscanned: findings.unscanned,
      bySeverity: findings.counts,
      fixable: findings.fixable,
      perDay: presentFindingDays(findings.days, asOf),
    },
    topVulnerable: findings.worst,
    scanner: { ...scanner, dbAgeS: databaseAge(scanner, asOf) },
    registry: { ok: registryOk },
  };
}

const NO_JOBS = { total: 0, pushed: 0, failed: 0, blocked: 0 };
