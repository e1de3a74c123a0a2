import { expect, it } from 'vitest';
import { type EarlierReport, earlierScanOf, isCertain } from './earlier-scan.ts';
import type { ReportFacts } from './report-facts.ts';

const FACTS: ReportFacts = {
  coverage: 'full',
  lacksThirdPartyAlone: false,
  artifactType: null,
  findings: [],
  databaseAt: '2026-01-01T00:00:00Z',
};
const reportOf = (day: number): EarlierReport => ({
  facts: FACTS,
  scannedAt: new Date(Date.UTC(2026, 0, day)),
});

it.each<
  [
    sentence: string,
    own: EarlierReport | null,
    parts: (EarlierReport | null)[],
    scan: object | null,
  ]
>([
  ['has none without a report', null, [null], null],
  ['has none without a report and parts', null, [], null],
  [
    'has its own report, whatever its parts have',
    reportOf(3),
    [reportOf(1), null],
    { ...reportOf(3), isWhole: true },
  ],
  [
    'is as old as the oldest of its parts',
    null,
    [reportOf(2), reportOf(1)],
    { ...reportOf(1), isWhole: true },
  ],
  [
    'is not whole while a part has no report',
    null,
    [reportOf(2), null],
    { ...reportOf(2), isWhole: false },
  ],
])('an image %s', (_, own, parts, scan) => {
  const found = earlierScanOf(own, parts);
  if (scan === null) expect(found).toBeNull();
  else expect(found).toMatchObject(scan);
});

it.each([
  [true, false, true],
  [true, true, true],
  [false, true, true],
  [false, false, false],
])(
  'of a scan that is whole: %s, and is blocked: %s, the decision is certain: %s',
  (isWhole, isBlocked, certain) => {
    expect(isCertain({ ...reportOf(1), isWhole }, isBlocked)).toBe(certain);
  },
);
