/** Cron expressions in a time zone: five fields, or six with seconds first. */
import { CronExpressionParser } from 'cron-parser';

/** A schedule runs at least once in this time; rarer ones take seconds to look for. */
const HORIZON_YEARS = 4;

/**
 * The first time after `after`.
 * @throws Error for an invalid expression or time zone, and where it is more than four years away
 */
export function nextRun(cron: string, timezone: string, after: Date): Date {
  const [first] = nextRuns(cron, timezone, after, 1);
  if (!first) throw new Error(`It does not run within ${HORIZON_YEARS} years.`);
  return first;
}

/**
 * The times within four years after `after`, at most `count`.
 * @throws Error for an invalid expression or time zone
 */
export function nextRuns(cron: string, timezone: string, after: Date, count: number): Date[] {
  const endDate = new Date(after);
  endDate.setUTCFullYear(after.getUTCFullYear() + HORIZON_YEARS);
  const times = CronExpressionParser.parse(cron, { tz: timezone, currentDate: after, endDate });
  const found: Date[] = [];
  while (found.length < count && times.hasNext()) found.push(times.next().toDate());
  return found;
}

/** What is wrong with the times of a schedule. */
export interface CronFault {
  code: 'CRON_FIELDS' | 'CRON_TOO_OFTEN' | 'CRON_INVALID';
  params: Record<string, string | number>;
  message: string;
}

/**
 * Null for a valid expression.
 * @param leastSeconds between any two of its next runs
 */
export function cronFault(
  { cron, timezone }: { cron: string; timezone: string },
  leastSeconds: number,
  now: Date,
): CronFault | null {
  if (!/^\S+(?:\s+\S+){4,5}$/.test(cron.trim()))
    return {
      code: 'CRON_FIELDS',
      params: {},
      message: 'Five fields are expected, or six with seconds first.',
    };
  try {
    return tooOften(cron, timezone, now, leastSeconds)
      ? {
          code: 'CRON_TOO_OFTEN',
          params: { seconds: leastSeconds },
          message: `Two runs must be at least ${leastSeconds} s apart.`,
        }
      : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { code: 'CRON_INVALID', params: { reason }, message: reason };
  }
}

const LOOKED_AT = 60;

function tooOften(cron: string, timezone: string, now: Date, leastSeconds: number): boolean {
  const times = nextRuns(cron, timezone, now, LOOKED_AT);
  if (times.length === 0) nextRun(cron, timezone, now);
  return times.some((time, n) => {
    const before = times[n - 1];
    return before !== undefined && time.getTime() - before.getTime() < leastSeconds * 1000;
  });
}

export function isTimezone(name: string): boolean {
  try {
    // Offsets (`+02:00`) are no IANA zones and have no daylight saving time.
    return !/^[+-]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
