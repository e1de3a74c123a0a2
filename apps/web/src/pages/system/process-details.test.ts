import { describe, expect, it } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import { system as german } from '../../locales/generated/de/pages.bundle.ts';
import { system as english } from '../../locales/generated/en/pages.bundle.ts';
import { describeDetails, describeProcess } from './process-details.ts';

const FORMAT = createFormat('en');
const MOMENT = '2026-11-21T20:46:46Z';

/** A code is in the language of the page, and a message is not. */
function wordsIn(system: typeof english) {
  return { t: system, faultText: (code: string) => system.checks[code] };
}

describe('the details of a process', () => {
  it.each([
    ['milliseconds', { latency_ms: 1700 }, ['latency: 1,700 ms']],
    ['seconds as a duration', { oldest_age_s: 65 }, ['oldest for: 1 min 5 sec']],
    ['bytes', { free_bytes: 2_000_000 }, ['free: 2 MB']],
    [
      'times in the reader’s format',
      { database_updated_at: MOMENT },
      [`database updated: ${FORMAT.dateTime(MOMENT)}`],
    ],
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
    expect(describeDetails(detail, wordsIn(english), FORMAT)).toEqual(expected);
  });

  it('are in the language of the page', () => {
    const detail = { stages: ['pull'], running: { pull: 2 }, collects_garbage: false };
    expect(describeDetails(detail, wordsIn(german), createFormat('de'))).toEqual([
      'Stufen: Pull',
      'laufend (Pull: 2)',
      'Garbage Collection: nein',
    ]);
  });

  it('say why a collector gets nothing by its code', () => {
    const email = { enabled: true, failing: 'no answer in time', failing_code: 'PROBE_TIMEOUT' };
    expect(describeDetails({ email }, wordsIn(german), createFormat('de'))).toEqual([
      `E-Mail (aktiviert: ja, wird wiederholt: ${german.checks.PROBE_TIMEOUT})`,
    ]);
  });

  it.each([
    ['its code', { code: 'PROBE_TIMEOUT' }, [{ text: german.checks.PROBE_TIMEOUT }]],
    [
      'its message, as English, where the code is unknown',
      { code: 'ODD' },
      [{ text: 'why', isServers: true }],
    ],
    ['its message, as English, without a code', { code: null }, [{ text: 'why', isServers: true }]],
  ])('say why a check failed by %s', (_, detail, expected) => {
    const shown = describeProcess({ message: 'why', ...detail }, wordsIn(german), FORMAT);
    expect(shown).toEqual(expected);
  });
});
