import { expect, it } from 'vitest';
import { report } from '../policy/judged-job.fixture.ts';
import type { Coverage, ScanReport, Severity } from '../policy/vulnerability.ts';
import { factsOf, factsOfIndex } from './report-facts.ts';

function part(found: Severity[], change: Partial<ScanReport> & { database?: string } = {}) {
  return factsOf(report(found, change));
}

const THIRD_PARTY: Partial<ScanReport> = {
  coverage: 'partial',
  gaps: [{ kind: 'third_party', count: 1, packages: ['p'], platform: null }],
};
const ATTESTATION: Partial<ScanReport> = {
  coverage: 'none',
  artifactType: 'application/vnd.in-toto+json',
};

it('the facts of an index are those of all its images, each finding once', () => {
  const both = factsOfIndex([part(['HIGH', 'LOW']), part(['HIGH'])]);
  expect(both).toEqual(part(['HIGH', 'LOW']));
});

it.each<[sentence: string, coverages: Coverage[], expected: Coverage]>([
  ['full where all are covered', ['full', 'full'], 'full'],
  ['partial where one is not', ['full', 'none'], 'partial'],
  ['none where no image is', ['none', 'none'], 'none'],
])('the coverage of an index is %s', (_, coverages, expected) => {
  expect(factsOfIndex(coverages.map((coverage) => part([], { coverage }))).coverage).toBe(expected);
});

it('third-party packages are the only gap where they are that of each image with a gap', () => {
  const [full, third] = [part([]), part([], THIRD_PARTY)];
  const other = part([], { coverage: 'partial' });
  expect(factsOfIndex([full, third]).lacksThirdPartyAlone).toBe(true);
  expect(factsOfIndex([third, other]).lacksThirdPartyAlone).toBe(false);
  expect(factsOfIndex([full, full]).lacksThirdPartyAlone).toBe(false);
});

it('attestations beside images say nothing about them', () => {
  expect(factsOfIndex([part([]), part([], ATTESTATION)])).toEqual(part([]));
});

it('an index of artifacts alone is an artifact', () => {
  expect(factsOfIndex([part([], ATTESTATION)])).toMatchObject({
    artifactType: ATTESTATION.artifactType,
    coverage: 'none',
  });
});

it('the database of an index is the oldest, and unknown where one is', () => {
  const [old, young] = ['2026-11-01T00:00:00Z', '2026-11-21T12:00:00.5Z'];
  const at = (database: string) => part([], { database });
  expect(factsOfIndex([at(young), at(old)]).databaseAt).toBe(old);
  expect(factsOfIndex([at(young), { ...at(old), databaseAt: null }]).databaseAt).toBeNull();
});
