import { epssFile, kevFile } from '@portcullis/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cveNumber } from './cve-id.ts';
import { CveTable } from './cve-table.ts';
import { parseFeedFile } from './feed-file.ts';
import { isOlderFeed, type KeptFeed, readAtOf, threatFeeds } from './kept-feed.ts';
import { isStale } from './threat-feeds.ts';

const NOW = new Date('2026-11-23T00:00:00Z');
const text = (words: string) => new TextEncoder().encode(words);
const parse = (bytes: Uint8Array) => parseFeedFile(bytes, NOW);
const kept = async (bytes: Uint8Array): Promise<KeptFeed> => ({
  ...(await parse(bytes)),
  checkedAt: NOW,
});

const ABOUT = '#model_version:v1,score_date:2026-11-22T00:00:00Z\n';
const HEADER = 'cve,epss,percentile\n';
const ROW = 'CVE-2021-44228,0.94358,0.99\n';

describe('EPSS scores', () => {
  it('are read with their model and date', async () => {
    const file = epssFile([
      ['CVE-2021-44228', '0.94358'],
      ['CVE-1999-0001', '1e-05'],
      ['CVE-2026-1234567', '1.0'],
    ]);
    const { kind, version, publishedAt, entries } = await parse(file);
    expect([kind, version, publishedAt.toISOString(), entries.size]).toEqual([
      'epss',
      'v2026.03.14',
      '2026-11-22T00:00:00.000Z',
      3,
    ]);
    const { epss, kev } = threatFeeds([await kept(file)]);
    expect(epss?.score('CVE-2021-44228')).toBe(0.94358);
    expect(epss?.score('CVE-1999-0001')).toBe(0.00001);
    expect(epss?.score('CVE-2026-1234567')).toBe(1);
    expect(epss?.score('CVE-2021-44229')).toBeNull();
    expect(epss?.score('GHSA-jfh8-c2jp-5v3q')).toBeNull();
    expect(kev).toBeNull();
  });

  it.each([
    ['the lines of another system', (ABOUT + HEADER + ROW).replaceAll('\n', '\r\n')],
    ['an offset of the date with a colon', ABOUT.replace('Z', '+00:00') + HEADER + ROW],
  ])('may have %s', async (_, file) => {
    expect((await parse(text(file))).entries.size).toBe(1);
  });

  it.each([
    ['no comment', HEADER + ROW, 'neither a KEV catalog nor EPSS scores'],
    ['another comment', `#hello\n${HEADER}${ROW}`, 'line 1'],
    ['a date that is none', ABOUT.replace('11-22', '13-22') + HEADER + ROW, 'score_date'],
    ['a date to come', ABOUT.replace('2026', '2027') + HEADER + ROW, 'is not yet'],
    ['other columns', `${ABOUT}cve,percentile,epss\n${ROW}`, 'line 2'],
    ['no rows', ABOUT + HEADER, 'no rows'],
    ['a score above 1', `${ABOUT}${HEADER}CVE-2021-44228,1.1,0.5\n`, 'line 3 has a number above 1'],
    ['a percentile above 1', `${ABOUT}${HEADER}CVE-2021-44228,0.1,5\n`, 'line 3 has a number'],
    ['a negative score', `${ABOUT}${HEADER}CVE-2021-44228,-0.1,0.5\n`, 'line 3 is no row'],
    ['no number', `${ABOUT}${HEADER}CVE-2021-44228,NaN,0.5\n`, 'line 3 is no row'],
    ['an id that is no CVE id', `${ABOUT}${HEADER}${ROW}GHSA-1,0.1,0.5\n`, 'line 4 is no row'],
    ['two forms of an id', `${ABOUT}${HEADER}CVE-2021-044228,0.1,0.5\n`, 'line 3 is no row'],
    ['an id twice', ABOUT + HEADER + ROW + ROW, 'CVE-2021-44228 occurs twice'],
    ['an empty row', `${ABOUT}${HEADER}\n${ROW}`, 'line 3 is no row'],
    ['a last row that is cut', (ABOUT + HEADER + ROW).slice(0, -1), 'its last line is cut'],
  ])('with %s are refused', async (_, file, words) => {
    await expect(parse(text(file))).rejects.toThrow(
      expect.objectContaining({ code: 'FEED_INVALID', message: expect.stringContaining(words) }),
    );
  });
});

describe('the KEV catalog', () => {
  it('is read with its version and date', async () => {
    const file = kevFile(['CVE-2021-44228', 'CVE-2014-0160']);
    const { kind, version, publishedAt, entries } = await parse(file);
    expect([kind, version, publishedAt.toISOString(), entries.size]).toEqual([
      'kev',
      '2026.11.20',
      '2026-11-20T18:00:03.142Z',
      2,
    ]);
    const { kev } = threatFeeds([await kept(file)]);
    expect(kev?.has('CVE-2014-0160')).toBe(true);
    expect(kev?.has('CVE-2014-0161')).toBe(false);
    expect(kev?.added?.('CVE-2014-0160')).toBe('2021-12-10');
    expect(kev?.added?.('CVE-2014-0161')).toBeNull();
  });

  it.each([
    ['no JSON', text('{"catalogVersion": "1"'), 'JSON'],
    ['an array', text(' []'), 'neither'],
    ['a member twice', text('{"count": 1, "count": 2}'), 'occurs twice'],
    ['no version', kevFile(['CVE-2021-44228'], { version: null }), 'catalogVersion'],
    [
      'a version that is no word',
      kevFile(['CVE-2021-44228'], { version: 'a b' }),
      'catalogVersion',
    ],
    ['no date', kevFile(['CVE-2021-44228'], { released: 'soon' }), 'dateReleased'],
    ['a date to come', kevFile(['CVE-2021-44228'], { released: '2027-01-01' }), 'is not yet'],
    ['entries that are no array', kevFile([], { vulnerabilities: {} }), 'has to be an array'],
    ['fewer entries than it counts', kevFile(['CVE-2021-44228'], { count: 2 }), 'count is 2'],
    ['no entries', kevFile([]), 'no entries'],
    ['an id that is no CVE id', kevFile(['CVE-2021-1']), 'vulnerabilities[0].cveID'],
    ['an entry that is null', kevFile([], { vulnerabilities: [null], count: 1 }), 'an object'],
    ['an id twice', kevFile(['CVE-2021-44228', 'CVE-2021-44228']), 'CVE-2021-44228 occurs twice'],
  ])('with %s is refused', async (_, file, words) => {
    await expect(parse(file)).rejects.toThrow(
      expect.objectContaining({ code: 'FEED_INVALID', message: expect.stringContaining(words) }),
    );
  });
});

const cveId = fc
  .tuple(fc.integer({ min: 1999, max: 2099 }), fc.integer({ min: 0, max: 9_999_999_999 }))
  .map(([year, sequence]) => `CVE-${year}-${String(sequence).padStart(4, '0')}`);

describe('properties', () => {
  it('each score is found under its id and no other, also after storing', async () => {
    const rows = fc.uniqueArray(fc.tuple(cveId, fc.integer({ min: 0, max: 100_000 })), {
      minLength: 1,
      selector: ([id]) => id,
    });
    await fc.assert(
      fc.asyncProperty(rows, cveId, async (scores, other) => {
        const file = epssFile(scores.map(([id, score]) => [id, (score / 100_000).toFixed(5)]));
        const feed = await kept(file);
        const restored = { ...feed, entries: CveTable.from(feed.entries.bytes()) };
        const { epss } = threatFeeds([restored]);
        for (const [id, score] of scores) expect(epss?.score(id)).toBe(score / 100_000);
        if (!scores.some(([id]) => id === other)) expect(epss?.score(other)).toBeNull();
      }),
    );
  });

  it('whatever bytes arrive, the answer is a feed or FEED_INVALID', async () => {
    const broken = fc
      .tuple(
        fc.constantFrom(epssFile([['CVE-2021-44228', '0.1']]), kevFile(['CVE-2021-44228'])),
        fc.nat(400),
        fc.uint8Array({ maxLength: 8 }),
      )
      .map(([file, at, bytes]) => {
        const copy = file.slice();
        copy.set(bytes.slice(0, Math.max(0, copy.length - at)), Math.min(at, copy.length));
        return copy;
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), broken), async (bytes) => {
        try {
          expect((await parse(bytes)).entries.size).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toMatchObject({ code: 'FEED_INVALID' });
        }
      }),
    );
  });

  it('numbers of ids have the order of year and sequence', () => {
    fc.assert(
      fc.property(cveId, cveId, (a, b) => {
        const parts = (id: string) => id.split('-').slice(1).map(Number);
        const [yearA = 0, sequenceA = 0] = parts(a);
        const [yearB = 0, sequenceB = 0] = parts(b);
        const expected = Math.sign(yearA - yearB || sequenceA - sequenceB);
        expect(Math.sign((cveNumber(a) ?? 0) - (cveNumber(b) ?? 0))).toBe(expected);
      }),
    );
  });
});

describe('a stored table', async () => {
  const { entries } = await parse(
    epssFile([
      ['CVE-2021-44228', '0.1'],
      ['CVE-2021-44229', '0.2'],
    ]),
  );

  it('may begin anywhere in a buffer', () => {
    const pooled = Buffer.concat([Buffer.alloc(3, 1), entries.bytes()]).subarray(3);
    expect(CveTable.from(pooled).find('CVE-2021-44229')).toBe(200_000);
  });

  it.each([
    ['cut', entries.bytes().slice(0, -1)],
    [
      'in another order',
      Uint8Array.from([
        ...entries.bytes().slice(8, 16),
        ...entries.bytes().slice(0, 8),
        ...entries.bytes().slice(16),
      ]),
    ],
  ])('that is %s is refused', (_, bytes) => {
    expect(() => CveTable.from(bytes)).toThrow(expect.objectContaining({ code: 'FEED_INVALID' }));
  });
});

describe('the age of a feed', () => {
  const day = (date: string) => new Date(`${date}T00:00:00Z`);

  it.each([
    ['a missing feed', null, true],
    ['a feed of six days ago', { readAt: day('2026-11-17') }, false],
    ['a feed of seven days ago', { readAt: day('2026-11-16') }, true],
  ])('%s', (_, feed, stale) => {
    expect(isStale(feed, NOW)).toBe(stale);
  });

  it.each([
    ['scores count from their date', 'epss', '2026-11-22', '2026-11-23', '2026-11-22'],
    [
      'scores of a mirror that stopped count from their date',
      'epss',
      '2026-11-01',
      '2026-11-23',
      '2026-11-01',
    ],
    ['the catalog counts from its last check', 'kev', '2026-11-05', '2026-11-23', '2026-11-23'],
    [
      'a catalog without a release for a month is stale',
      'kev',
      '2026-10-23',
      '2026-11-23',
      '2026-11-15',
    ],
  ] as const)('%s', (_, kind, published, checked, expected) => {
    const feed = { kind, publishedAt: day(published), checkedAt: day(checked) };
    expect(readAtOf(feed)).toEqual(day(expected));
  });

  it('a file that is older than the kept one is recognised', () => {
    const [older, newer] = [day('2026-11-21'), day('2026-11-22')].map((publishedAt) => ({
      publishedAt,
    }));
    expect(older && newer && isOlderFeed(older, newer)).toBe(true);
    expect(older && newer && isOlderFeed(newer, older)).toBe(false);
    expect(older && isOlderFeed(older, older)).toBe(false);
    expect(older && isOlderFeed(older, null)).toBe(false);
  });
});
