import { expect, it } from 'vitest';
import { cronOf, NIGHTLY, readCron } from './cron-form.ts';

it.each([
  [{ rhythm: 'hourly', time: '00:15' }, '15 * * * *'],
  [{ rhythm: 'daily', time: '03:30' }, '30 3 * * *'],
  [{ rhythm: 'weekly', time: '22:05', weekdays: [5, 1] }, '5 22 * * 1,5'],
  [{ rhythm: 'monthly', time: '00:00', monthDay: 15 }, '0 0 15 * *'],
  [{ rhythm: 'custom', custom: ' */7 1-5 * * * ' }, '*/7 1-5 * * *'],
] as const)('%j is %s, and is read so again', (given, cron) => {
  const form = { ...NIGHTLY, ...given, weekdays: 'weekdays' in given ? [...given.weekdays] : [1] };
  expect(cronOf(form)).toBe(cron);
  expect(cronOf(readCron(cron))).toBe(cron);
  expect(readCron(cron).rhythm).toBe(given.rhythm);
});

it.each(['0 * 1 * *', '0 3 1 * 1', '*/5 * * * *', '0 0 3 * * *', 'nonsense', '0 3 * 1 *'])(
  '%s becomes a custom schedule, unchanged',
  (cron) => {
    expect(readCron(cron)).toMatchObject({ rhythm: 'custom', custom: cron });
  },
);
