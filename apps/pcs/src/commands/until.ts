/** The option `--until` of what ends. */
import { invalid } from '@portcullis/errors';

const DAY_MS = 86_400_000;

export const untilOption = (days: number) =>
  ({
    type: 'string',
    help: `a date, as 2027-01-31, or days, as 30d; by default ${days}d`,
  }) as const;

/** The end of that day, in UTC. @throws invalid `USAGE` */
export function endOf(text: string, now: Date): Date {
  const [, days] = /^(\d{1,3})d$/.exec(text) ?? [];
  if (days !== undefined) return new Date(now.getTime() + Number(days) * DAY_MS);
  const end = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(end.getTime()))
    throw invalid('USAGE', `--until ${text} is no date; write it as 2027-01-31 or 30d`);
  return end;
}
