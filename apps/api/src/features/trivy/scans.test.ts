import { samplePrincipal } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { createScansService, type ScansPorts } from './scans.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const UPDATED = '2026-01-01T00:00:00Z';
const ANN = samplePrincipal();

/** A report of the digest exists; the registry claims to hold the digest too. */
function scansOf(local: boolean) {
  const states: string[] = [];
  const report = {
    scanner: { name: 't', version: '1', dbUpdatedAt: UPDATED },
    vulnerabilities: [],
    targets: [],
  };
  const ports = {
    store: {
      scans: {
        findOpen: async () => null,
        insert: async (scan: { state: string }) => {
          states.push(scan.state);
          return scan;
        },
      },
      reports: {
        find: async () => ({ report: { coverage: 'full', notes: [], os: null, ...report } }),
      },
    },
    repositories: {
      open: async () => ({
        local,
        ask: (_: unknown, question: (source: object) => unknown) =>
          question({ resolve: async () => ({ digest: DIGEST }) }),
      }),
    },
    facts: async () => ({ enabled: true, db: { updatedAt: UPDATED } }),
    wake: async () => {},
    policy: async () => ({
      severities: [],
      ignoreUnfixed: false,
      onError: 'block',
      override: 'anyone',
    }),
  };
  return { states, service: createScansService(ports as unknown as ScansPorts) };
}

it('a stored report is returned at once for a digest that the built-in registry holds', async () => {
  const { states, service } = scansOf(true);
  expect(
    (await service.request({ principal: ANN, registryId: '__local__' }, 'team/app')).judgement,
  ).not.toBeNull();
  expect(states).toEqual(['done']);
});

it('a digest that another registry claims is scanned, and no stored report is shown', async () => {
  const { states, service } = scansOf(false);
  expect(
    (await service.request({ principal: ANN, registryId: 'r' }, 'team/app')).judgement,
  ).toBeNull();
  expect(states).toEqual(['queued']);
});
