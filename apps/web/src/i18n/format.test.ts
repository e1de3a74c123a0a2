import { describe, expect, it } from 'vitest';
import { chooser, counter, numberIn } from './count.ts';
import { createFormat, formatOf, localeOf } from './format.ts';
import { chooseLanguage } from './language.tsx';

const NOW = Date.parse('2026-11-21T12:00:00Z');
/** Languages use different spaces between a number and its unit. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('sizes', () => {
  it.each([
    ['en', 0, '0 bytes'],
    ['en', 999, '999 bytes'],
    ['fr', 12, '12 octets'],
    ['de', 12, '12 Byte'],
    ['en', 1500, '1.5 kB'],
    ['en', 15_400_000, '15 MB'],
    ['en', 2_340_000_000, '2.3 GB'],
    ['de', 1500, '1,5 kB'],
    ['fr', 1_500_000, '1,5 Mo'],
  ])('in %s, %i bytes are %s', (locale, bytes, text) => {
    expect(plain(createFormat(locale).bytes(bytes))).toBe(text);
  });

  it.each([
    ['en', 0.0042, '0.42%'],
    ['en', 0.946, '95%'],
    ['de', 0.0042, '0,42 %'],
    ['fr', 1, '100 %'],
  ])('in %s the probability %d is %s', (locale, share, text) => {
    expect(plain(createFormat(locale).probability(share))).toBe(text);
  });

  it('scores have one decimal', () => {
    expect([9, 9.8].map(createFormat('de').score)).toEqual(['9,0', '9,8']);
  });

  it('rates are sizes per second', () => {
    expect(plain(createFormat('en').rate(4_600_000))).toBe('4.6 MB/s');
  });
});

it.each([
  ['en', 'Edit: robot'],
  ['de', 'Edit: robot'],
  ['fr', 'Edit\u00a0: robot'],
  ['fr-CA', 'Edit\u00a0: robot'],
])('in %s a label and its value are “%s”', (locale, text) => {
  expect(`Edit${createFormat(locale).colon}robot`).toBe(text);
});

describe('times', () => {
  it.each([
    ['en', '2026-11-21T11:59:50Z', 'just now'],
    ['de-AT', '2026-11-21T11:59:01Z', 'gerade eben'],
    ['fr', '2026-11-21T12:00:02Z', 'à l’instant'],
    ['en', '2026-11-21T12:00:30Z', 'now'],
    ['en', '2026-11-21T11:57:00Z', '3 minutes ago'],
    ['en', '2026-11-20T11:00:00Z', 'yesterday'],
    ['en', '2026-12-26T12:00:00Z', 'in 35 days'],
    ['en', '2027-02-21T12:00:00Z', 'in 3 months'],
    ['de', '2025-11-21T12:00:00Z', 'vor 12 Monaten'],
    ['de', '2026-11-21T09:00:00Z', 'vor 3 Stunden'],
    ['fr', '2026-11-21T14:00:00Z', 'dans 2 heures'],
  ])('in %s, %s is %s', (locale, at, text) => {
    expect(plain(createFormat(locale).relative(at, NOW))).toBe(text);
  });

  it('the times of a schedule are in its time zone', () => {
    const paris = plain(createFormat('fr').dateTime('2026-11-23T01:30:00Z', 'Europe/Paris'));
    expect(paris).toBe('23 nov. 2026, 02:30');
  });

  it.each([
    [0.2, '0 sec'],
    [59, '59 sec'],
    [125, '2 min 5 sec'],
    [3600, '1 hr'],
    [7265, '2 hr 1 min'],
    [86_399, '23 hr 59 min'],
    [86_400, '1 day'],
    [172_860, '2 days'],
    [180_000, '2 days 2 hr'],
  ])('%d seconds last %s', (seconds, text) => {
    expect(plain(createFormat('en').duration(seconds))).toBe(text);
  });
});

it.each([
  ['en', 0, '0 jobs'],
  ['en', 1, '1 job'],
  ['fr', 0, '0 job'],
  ['fr', 2, '2 jobs'],
  ['de', 0, '0 jobs'],
] as const)('in %s, %i of them are “%s”', (language, n, text) => {
  expect(counter(language)(n, 'job', 'jobs')).toBe(text);
});

it('a word apart from its number has the form for it', () => {
  expect([1, 2].map((n) => chooser('de')(n, 'fehlt', 'fehlen'))).toEqual(['fehlt', 'fehlen']);
});

it('a number alone is written in its language', () => {
  expect([numberIn('en')(1815), numberIn('de')(1815)]).toEqual(['1,815', '1.815']);
});

describe('the language', () => {
  it.each([
    ['fr', ['de-DE'], 'fr'],
    [null, ['de-CH', 'en'], 'de'],
    [null, ['it', 'fr-CA'], 'fr'],
    ['xx', ['it'], 'en'],
    [null, [], 'en'],
  ])('chosen before: %s, preferred: %j; used: %s', (stored, preferred, spoken) => {
    expect(chooseLanguage(stored, preferred)).toBe(spoken);
  });

  it('keeps the reader’s variant of it', () => {
    expect(localeOf('en', ['fr', 'en-GB'])).toBe('en-GB');
    expect(localeOf('de', ['en-GB'])).toBe('de');
  });
});

it('a language has one format, however many rows of a list use it', () => {
  expect(formatOf('de')).toBe(formatOf('de'));
  expect(formatOf('de').number(1234)).toBe('1.234');
  expect(formatOf('en').number(1234)).toBe('1,234');
});
