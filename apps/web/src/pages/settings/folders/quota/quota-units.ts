/** The units in which people write a quota: decimal ones, as the page shows all sizes. */

export const QUOTA_UNITS = ['MB', 'GB', 'TB'] as const;
type QuotaUnit = (typeof QUOTA_UNITS)[number];

const BYTES: Readonly<Record<QuotaUnit, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

export interface WrittenQuota {
  /** Empty for no quota; text while it is typed. */
  amount: number | string;
  unit: QuotaUnit;
}

/** In the largest unit of which it has at least one. */
export function writtenQuota(bytes: number | null): WrittenQuota {
  if (bytes === null) return { amount: '', unit: 'GB' };
  const unit = QUOTA_UNITS.findLast((each) => bytes >= BYTES[each]) ?? 'MB';
  return { amount: bytes / BYTES[unit], unit };
}

/** Null for an empty field. */
export function quotaBytes({ amount, unit }: WrittenQuota): number | null {
  return amount === '' ? null : Math.round(Number(amount) * BYTES[unit]);
}
