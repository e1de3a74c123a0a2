import { DEFAULT_POLICY, type ScanReport, type StagingJob } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { expect, it } from 'vitest';
import type { StageAttempt } from '../../pipeline/attempt.ts';
import { type ScanPorts, scan } from './scan.ts';

const REPORT: ScanReport = {
  coverage: 'full',
  notes: [],
  os: null,
  targets: [],
  vulnerabilities: [],
  scanner: { name: 't', version: '1', dbUpdatedAt: null },
};

interface Situation {
  /** A scan with the same scanner and the same database. */
  known?: boolean;
  /** What is on this disk of the image. */
  here?: 'all' | 'without layers' | 'nothing';
  forgotten?: boolean;
  /** Requested by an earlier scan of this job. */
  blobsWanted?: boolean;
  wanted?: boolean;
  missing?: string;
}

async function scanIn({
  known,
  here = 'all',
  forgotten,
  blobsWanted,
  wanted = true,
  missing,
}: Situation) {
  const done: string[] = [];
  const ports: ScanPorts = {
    policy: async () => ({ ...DEFAULT_POLICY, scanEnabled: wanted }),
    missing: async () => missing ?? null,
    recall: async () => (known ? { scannedAt: new Date(0), report: REPORT, parts: [] } : null),
    place: async () =>
      here === 'nothing' ? null : { dir: here, isWhole: here === 'all', absent: [] },
    async scan(dir) {
      done.push(`scanned ${dir}`);
      if (forgotten) throw invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete');
      return { report: REPORT, parts: [] };
    },
  };
  const job = {
    id: 'j',
    digest: 'sha256:a',
    pullMode: blobsWanted ? 'complete' : 'lazy',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
  };
  const attempt = {
    job: () => job as StagingJob,
    signal: new AbortController().signal,
  } as StageAttempt;
  const outcome = await scan(attempt, ports);
  return { outcome, done };
}

it.each<[string, Situation, string[]]>([
  ['a whole image is scanned', {}, ['scanned all']],
  [
    'missing layers are replaced by the scanner’s cached analysis',
    { here: 'without layers' },
    ['scanned without layers'],
  ],
  ['an image that was scanned with this database is not scanned again', { known: true }, []],
  ['an image without a wanted scan is not scanned', { wanted: false, known: true }, []],
  ['without a scanner a known report does not count', { missing: 'no scanner', known: true }, []],
])('%s', async (_, situation, expected) => {
  expect((await scanIn(situation)).done).toEqual(expected);
});

it.each<[string, Situation, object]>([
  [
    'a known report has its date',
    { known: true },
    { kind: 'scanned', known: { scannedAt: new Date(0) } },
  ],
  ['a new report has none', {}, { kind: 'scanned', report: REPORT, policy: DEFAULT_POLICY }],
  ['there is no report where no scan is wanted', { wanted: false }, { kind: 'scan_skipped' }],
  [
    'without a scanner it fails',
    { missing: 'no scanner', known: true },
    { kind: 'failed', error: { code: 'SCANNER_UNAVAILABLE' } },
  ],
])('%s', async (_, situation, expected) => {
  const { outcome } = await scanIn(situation);
  expect(outcome).toMatchObject(expected);
});

it.each<[string, Situation]>([
  ['of which the scanner has forgotten a layer', { here: 'without layers', forgotten: true }],
  ['without any file', { here: 'nothing' }],
])('an image %s needs another pull', async (_, situation) => {
  expect((await scanIn(situation)).outcome).toEqual({ kind: 'blobs_wanted' });
});

it.each<[string, Situation, string]>([
  ['is missing after a complete pull', { here: 'nothing', blobsWanted: true }, 'NOT_PULLED'],
  ['is damaged', { forgotten: true }, 'SCAN_LAYOUT_INVALID'],
])('an image that %s is not pulled without end', async (_, situation, code) => {
  await expect(scanIn(situation)).rejects.toMatchObject({ code });
});
