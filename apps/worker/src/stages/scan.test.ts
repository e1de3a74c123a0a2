import { DEFAULT_POLICY, type ScanReport, type StagingJob } from '@portcullis/domain';
import { expect, it } from 'vitest';
import type { Attempt } from '../attempt.ts';
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
  /** A scan by the same scanner with the same database. */
  known?: boolean;
  /** All layers that aren't here, and may be left out. */
  remembersLayers?: boolean;
  wanted?: boolean;
  missing?: string;
}

async function scanIn({ known, remembersLayers, wanted = true, missing }: Situation) {
  const done: string[] = [];
  const did = <T>(what: string, result: T): T => {
    done.push(what);
    return result;
  };
  const ports: ScanPorts = {
    policy: async () => ({ ...DEFAULT_POLICY, scanEnabled: wanted }),
    missing: async () => missing ?? null,
    recall: async () => (known ? { scannedAt: new Date(0), report: REPORT } : null),
    scanByMemory: async () => did('by memory', remembersLayers ? REPORT : null),
    complete: async () => did('fetched', undefined),
    scan: async () => did('scanned', REPORT),
  };
  const job = { id: 'j', digest: 'sha256:a', overrides: { vulnScanEnabled: null, vulnSeverities: null } };
  const attempt = { job: () => job as StagingJob, signal: new AbortController().signal } as Attempt;
  const outcome = await scan(attempt, ports);
  return { outcome, done };
}

it.each<[string, Situation, string[]]>([
  ['by what the scanner remembers', { remembersLayers: true }, ['by memory']],
  ['with all layers, where it has forgotten one', {}, ['by memory', 'fetched', 'scanned']],
  ['what was scanned with this database is not scanned again', { known: true }, []],
  ['what no scan is wanted of is not scanned', { wanted: false, known: true }, []],
  ['without a scanner a known report does not count', { missing: 'no scanner', known: true }, []],
])('%s', async (_, situation, expected) => {
  expect((await scanIn(situation)).done).toEqual(expected);
});

it.each<[string, Situation, object]>([
  ['a known report says since when', { known: true }, { kind: 'scanned', known: { scannedAt: new Date(0) } }],
  ['a new one does not', {}, { kind: 'scanned', report: REPORT, policy: DEFAULT_POLICY }],
  ['there is none where none is wanted', { wanted: false }, { kind: 'scan_skipped' }],
  [
    'without a scanner it fails',
    { missing: 'no scanner', known: true },
    { kind: 'failed', error: { code: 'SCANNER_UNAVAILABLE' } },
  ],
])('%s', async (_, situation, expected) => {
  const { outcome } = await scanIn(situation);
  expect(outcome).toMatchObject(expected);
});
