import { samplePrincipal } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { createScansService, type ScansPorts } from './scans.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const UPDATED = '2026-01-01T00:00:00Z';
const ANN = samplePrincipal();

/** A report of the digest is there; the registry says that it holds it, too. */
function stand(local: boolean) {
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
    places: {
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

it('what is known of a digest is told at once where the built-in registry holds it', async () => {
  const { states, service } = stand(true);
  expect(
    (await service.request({ principal: ANN, registryId: '__local__' }, 'team/app')).judgement,
  ).not.toBeNull();
  expect(states).toEqual(['done']);
});

it('another registry that names the digest of somebody else’s image gets it scanned, not told', async () => {
  const { states, service } = stand(false);
  expect(
    (await service.request({ principal: ANN, registryId: 'r' }, 'team/app')).judgement,
  ).toBeNull();
  expect(states).toEqual(['queued']);
});
