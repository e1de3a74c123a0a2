import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartReport, ScanReport } from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findStoredScan, PROFILE, removeStoredScans, storeScan } from './stored-scan.ts';

const DIGEST: Digest = `sha256:${'a'.repeat(64)}`;
const REPORT: ScanReport = {
  coverage: 'full',
  notes: [],
  os: { family: 'debian', name: '12.5', eosl: false },
  targets: [],
  vulnerabilities: [],
  scanner: { name: 'trivy', version: '1', dbUpdatedAt: '2026-11-21T00:00:00Z' },
};

const PARTS: PartReport[] = [
  { digest: 'sha256:b', report: REPORT },
  {
    digest: 'sha256:c',
    report: {
      ...REPORT,
      artifactType: 'a/b',
      coverage: 'none',
      notes: ['no image'],
      gaps: [{ kind: 'other', platform: null }],
      os: null,
    },
  },
];

const STORED = { scannedAt: new Date(), parts: [] };

let dir: TemporaryDir;
const at = (name: string) => join(dir.path, name);
const basis = (database = 'one', scannerVersion = '1') => ({
  databaseDir: at(database),
  scannerVersion,
});

beforeEach(async () => {
  dir = await temporaryDir();
  await mkdir(at('reports'));
  await writeFile(at('reports/reports.json'), '[]');
  await writeFile(at('reports/sha256-b.json'), 'the full one');
});
afterEach(() => dir.remove());

const keep = (change: Partial<ScanReport> = {}) =>
  storeScan(basis(), DIGEST, {
    report: { ...REPORT, ...change },
    parts: PARTS,
    reportDir: at('reports'),
  });
const recall = (from = basis()) => findStoredScan(from, DIGEST, at('again'));

describe('a scan is stored', () => {
  it('with its reports, for any number of jobs, even after the first job is deleted', async () => {
    await keep();
    await keep();
    await rm(at('reports'), { recursive: true });
    await mkdir(at('again'));
    await writeFile(at('again/of-another-scan.json'), '');
    expect(await recall()).toEqual({
      report: REPORT,
      parts: PARTS,
      scannedAt: expect.any(Date),
    });
    expect((await readdir(at('again'))).sort()).toEqual(['reports.json', 'sha256-b.json']);
    expect(await readFile(at('again/sha256-b.json'), 'utf8')).toBe('the full one');
    expect(await recall()).not.toBeNull();
    expect(await readdir(at(`one/reports/1-${PROFILE}`))).toEqual([`sha256-${'a'.repeat(64)}`]);
  });

  it.each<[string, Partial<ScanReport>]>([
    ['with partial coverage', { coverage: 'partial' }],
    ['without coverage', { coverage: 'none' }],
    [
      'of a scanner of another version than expected',
      { scanner: { ...REPORT.scanner, version: '2' } },
    ],
  ])('but not one %s', async (_, change) => {
    await keep(change);
    expect(await recall()).toBeNull();
  });
});

describe('a stored scan is not used', () => {
  it.each([
    ['of another digest', () => findStoredScan(basis(), `sha256:${'c'.repeat(64)}`, at('again'))],
    ['with another database', () => recall(basis('two'))],
    ['by another scanner', () => recall(basis('one', '2'))],
  ])('%s', async (_, ask) => {
    await keep();
    expect(await recall()).not.toBeNull();
    expect(await ask()).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"scannedAt":"2026-11-21T00:00:00Z","rep'],
    ['no coverage', JSON.stringify({ ...STORED, report: { ...REPORT, coverage: undefined } })],
    ['no reports of its parts', JSON.stringify({ scannedAt: new Date(), report: REPORT })],
    ['partial coverage', JSON.stringify({ ...STORED, report: { ...REPORT, coverage: 'partial' } })],
    [
      'no findings',
      JSON.stringify({ ...STORED, report: { ...REPORT, vulnerabilities: undefined } }),
    ],
  ])('where its file holds %s', async (_, text) => {
    await keep();
    await writeFile(at(`one/reports/1-${PROFILE}/sha256-${'a'.repeat(64)}/scan.json`), text);
    expect(await recall()).toBeNull();
    await keep();
    expect(await recall()).not.toBeNull();
  });
});

it('scans that were stored long ago are removed', async () => {
  await keep();
  await removeStoredScans(at('one'), new Date(Date.now() - 60_000));
  expect(await recall()).not.toBeNull();
  const long = new Date(Date.now() - 120_000);
  await utimes(at(`one/reports/1-${PROFILE}/sha256-${'a'.repeat(64)}`), long, long);
  await removeStoredScans(at('one'), new Date(Date.now() - 60_000));
  expect(await recall()).toBeNull();
  await removeStoredScans(at('none'), new Date());
});
