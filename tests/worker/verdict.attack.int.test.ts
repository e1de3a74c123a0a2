/**
 * Verdicts that became outdated: by an older database, an older policy, or another rating of a
 * package.
 */
import type { TestPackage } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  harness,
  isThere,
  kinds,
  pushed,
  SAFE,
  setPolicy,
  stagedBy,
  startVerdicts,
  TOMORROW,
  updateDatabase,
} from './verdict.fixture.ts';

startVerdicts();

/** One LOW. */
const LOW: TestPackage[] = [{ name: 'tar', version: '1.34+dfsg-1.2' }];

/** One vulnerability: HIGH without a fix in one package, LOW with a fix in the other. */
const MIXED: TestPackage[] = [
  { name: 'shared', version: '1' },
  { name: 'shared2', version: '1' },
];

it('S4a: an image that was clean yesterday, with a CRITICAL in today’s database, is not pushed', async () => {
  const [bad, safe] = [
    await stagedBy(harness.alice, TOMORROW),
    await stagedBy(harness.alice, SAFE),
  ];
  expect([bad.verdict, safe.verdict]).toEqual(['clean', 'clean']);
  const dbUpdatedAt = await updateDatabase();

  const refused = await pushed(bad);
  expect(refused).toMatchObject({
    status: 'failed',
    verdict: 'blocked',
    error: { code: 'VULN_BLOCKED' },
    vulnResult: { counts: { CRITICAL: 1 }, scanner: { dbUpdatedAt } },
    pushes: [{ status: 'failed', error: { code: 'VULN_BLOCKED' } }],
  });
  expect(kinds(refused)).toContain('database_newer');
  expect(await isThere(bad)).toBe(false);

  const through = await pushed(safe);
  expect(through).toMatchObject({
    status: 'pushed',
    verdict: 'clean',
    vulnResult: { scanner: { dbUpdatedAt } },
  });
  expect(await isThere(safe)).toBe(true);
  // With the same database there is no second scan.
  const again = await pushed(safe);
  expect(kinds(again).filter((kind) => kind === 'database_newer')).toHaveLength(1);
});

it('S4b: an image that was accepted under a permissive policy is not pushed under a stricter one', async () => {
  const job = await stagedBy(harness.alice, LOW);
  expect(job).toMatchObject({ verdict: 'findings', vulnResult: { counts: { LOW: 1 } } });
  await setPolicy({ severities: ['CRITICAL', 'HIGH', 'LOW'] });
  const refused = await pushed(job);
  expect(refused).toMatchObject({
    status: 'failed',
    verdict: 'blocked',
    error: { code: 'VULN_BLOCKED' },
    vulnResult: { blocked: true, severities: ['CRITICAL', 'HIGH', 'LOW'] },
  });
  expect(kinds(refused)).toContain('policy_changed');
  expect(await isThere(job)).toBe(false);
  await setPolicy({});
  expect(await pushed(refused)).toMatchObject({ status: 'pushed', verdict: 'findings' });
});

it('S8: a package blocks by its own rating, not by that of another package', async () => {
  await setPolicy({ severities: ['LOW'] });
  const job = await stagedBy(harness.alice, MIXED);
  expect(job).toMatchObject({
    verdict: 'blocked',
    vulnResult: { blocking: { LOW: 1, HIGH: 0 } },
  });
  expect(await pushed(job)).toMatchObject({ status: 'failed', error: { code: 'VULN_BLOCKED' } });
  await setPolicy({ severities: ['HIGH'], ignoreUnfixed: true });
  expect(await pushed(job)).toMatchObject({ status: 'pushed', verdict: 'findings' });
});
