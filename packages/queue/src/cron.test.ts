import { CronDate } from 'cron-parser';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cronFault, isTimezone, nextRun, nextRuns } from './cron.ts';

const NOW = new Date('2026-03-28T12:00:00Z');

describe('cron', () => {
  it('returns the next runs in order, across the end of daylight saving time', () => {
    expect(
      nextRuns('0 3 * * *', 'Europe/Berlin', NOW, 2).map((time) => time.toISOString()),
    ).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T01:00:00.000Z']);
  });

  it.each([
    [
      'runs at the hour of its zone',
      '0 3 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'in winter an hour later by UTC',
      '0 3 * * *',
      'Europe/Berlin',
      '2026-11-01T12:00:00Z',
      '2026-11-02T02:00:00.000Z',
    ],
    [
      'takes seconds as a sixth field',
      '*/10 * * * * *',
      'UTC',
      '2026-03-28T12:00:01Z',
      '2026-03-28T12:00:10.000Z',
    ],
    [
      'an hour that summer time skips still has its run',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
  ])('%s', (_, cron, timezone, after, expected) => {
    expect(nextRun(cron, timezone, new Date(after)).toISOString()).toBe(expected);
  });

  it.each([
    ['four fields', '* * * *', 'CRON_FIELDS'],
    ['an hour that is none', '0 25 * * *', 'CRON_INVALID'],
    ['words', 'every day', 'CRON_FIELDS'],
    ['nothing', '', 'CRON_FIELDS'],
    ['a day that never comes', '0 0 30 2 *', 'CRON_INVALID'],
  ])('refused: %s', (_, cron, code) => {
    expect(cronFault({ cron, timezone: 'UTC' }, 60, NOW)?.code).toBe(code);
  });

  it.each(['0 0 29 2 *', '0 59 23 29 2 1#5'])(
    '%s is judged without a search of many years',
    (cron) => {
      const steps = vi.spyOn(CronDate.prototype, 'applyDateOperation');
      onTestFinished(() => steps.mockRestore());
      expect(cronFault({ cron, timezone: 'Europe/Berlin' }, 60, NOW)).toBeNull();
      expect(steps.mock.calls.length).toBeLessThan(500);
    },
  );

  it('refused: more often than allowed, even if only sometimes', () => {
    const fault = (cron: string, least: number) => cronFault({ cron, timezone: 'UTC' }, least, NOW);
    expect(fault('* * * * * *', 60)).toMatchObject({
      code: 'CRON_TOO_OFTEN',
      params: { seconds: 60 },
    });
    expect(fault('0,30 0 0 * * *', 60)).toMatchObject({
      code: 'CRON_TOO_OFTEN',
      params: { seconds: 60 },
    });
    expect(fault('* * * * *', 60)).toBeNull();
    expect(fault('* * * * * *', 1)).toBeNull();
  });

  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['+02:00', false],
    ['Mars/Olympus', false],
    ['', false],
  ])('%j is a time zone: %j', (name, expected) => {
    expect(isTimezone(name)).toBe(expected);
  });
});
