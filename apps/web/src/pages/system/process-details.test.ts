import { describe, expect, it } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import { describeDetails } from './process-details.ts';

const FORMAT = createFormat('en');
const MOMENT = '2026-11-21T20:46:46Z';

describe('the details of a process', () => {
  it.each([
    ['milliseconds', { latency_ms: 1700 }, ['latency 1,700 ms']],
    ['seconds as a duration', { oldest_age_s: 65 }, ['oldest age 1 min 5 sec']],
    ['bytes', { free_bytes: 2_000_000 }, ['free bytes 2 MB']],
    [
      'times in the reader’s format',
      { updated_at: MOMENT },
      [`updated at ${FORMAT.dateTime(MOMENT)}`],
    ],
    ['an unchanged message', { message: 'switched off' }, ['switched off']],
    ['lists', { stages: ['pull', 'scan'] }, ['stages pull, scan']],
    [
      'what is within it',
      { email: { enabled: true, delivered: 2 } },
      ['email (enabled, delivered 2)'],
    ],
    ['nothing for missing values', { lag: null, note: '' }, []],
  ])('%s', (_, detail, expected) => {
    expect(describeDetails(detail, FORMAT)).toEqual(expected);
  });
});
