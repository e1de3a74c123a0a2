/** The queries of a plan's decisions; what they decide is in the integration test. */
import { LOCAL_REGISTRY_ID, type TransferOrder } from '@portcullis/domain';
import type { OpenPushGate } from '@portcullis/gate';
import { samplePrincipal } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { createPlanDecisions } from './plan-decisions.ts';

const LOCAL = { kind: 'local', registryId: LOCAL_REGISTRY_ID, host: 'h' } as const;
const ORDER: Omit<TransferOrder, 'entries'> = {
  source: { kind: 'registry', registryId: 'r', host: 'registry.example' },
  destination: LOCAL,
  platforms: 'all',
  overrides: { vulnScanEnabled: null, vulnSeverities: null },
  withReferrers: false,
  bypass: { allowed: true, reason: null },
};

it('a plan of a thousand images reads their reports by four queries', async () => {
  const asked: Record<'facts' | 'readable' | 'open', number[]> = {
    ...{ facts: [], readable: [], open: [] },
  };
  const decide = createPlanDecisions({
    reports: {
      async facts(digests) {
        asked.facts.push(digests.length);
        return new Map();
      },
    },
    images: {
      async readable(digests) {
        asked.readable.push(digests.length);
        return new Set(digests);
      },
    },
    pushGate: {
      async openAll() {
        asked.open.push(1);
        return () => ({ settings: { scanEnabled: true } }) as OpenPushGate;
      },
    },
    folders: async () => new Set(['team']),
  });
  const images = Array.from({ length: 1_000 }, (_, n) => ({
    digest: `sha256:${n}`,
    ...{ parts: [], repository: 'team/app' },
  }));
  expect(await decide(images, ORDER, samplePrincipal())).toEqual(images.map(() => null));
  expect(asked).toEqual({
    facts: [250, 250, 250, 250],
    readable: [250, 250, 250, 250],
    open: [1],
  });
});
