import { describe, expect, it } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import { system as german } from '../../locales/de/system.ts';
import { system as english } from '../../locales/en/system.ts';
import { describeDetails } from './process-details.ts';

const FORMAT = createFormat('en');
const MOMENT = '2026-11-21T20:46:46Z';

describe('the details of a process', () => {
  it.each([
    ['milliseconds', { latency_ms: 1700 }, ['latency: 1,700 ms']],
    ['seconds as a duration', { oldest_age_s: 65 }, ['oldest for: 1 min 5 sec']],
    ['bytes', { free_bytes: 2_000_000 }, ['free bytes: 2 MB']],
    [
      'times in the reader’s format',
      { database_updated_at: MOMENT },
      [`database updated: ${FORMAT.dateTime(MOMENT)}`],
    ],
    ['an unchanged message', { message: 'switched off' }, ['switched off']],
    ['lists', { stages: ['pull', 'scan'] }, ['stages: pull, scan']],
    ['a field without a name by its key', { moon_phase: 3 }, ['moon phase: 3']],
    [
      'what is within it',
      { email: { enabled: true, delivered: 2 } },
      ['e-mail (enabled: yes, delivered: 2)'],
    ],
    [
      'nothing but that of what is turned off',
      { email: { enabled: false, delivered: 0 } },
      ['e-mail: off'],
    ],
    ['nothing for missing values', { lag: null, note: '' }, []],
  ])('%s', (_, detail, expected) => {
    expect(describeDetails(detail, english, FORMAT)).toEqual(expected);
  });

  it('are in the language of the page', () => {
    const detail = { stages: ['pull'], running: { pull: 2 }, collects_garbage: false };
    expect(describeDetails(detail, german, createFormat('de'))).toEqual([
      'Stufen: Pull',
      'laufend (Pull: 2)',
      'Garbage Collection: nein',
    ]);
  });
});
