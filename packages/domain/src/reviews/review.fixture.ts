/** Review requests for tests: open, of three vulnerabilities, and requested by `u1`. */
import { NO_FINDINGS } from '../policy/layer-counts.ts';
import { daysLater, NOW } from '../standing/standing.fixture.ts';
import type { Review } from './review.ts';

export function reviewFixture(change: Partial<Review> = {}): Review {
  return {
    number: 42,
    state: 'open',
    jobId: 'j1',
    image: {
      ...{ digest: 'sha256:a', registryId: null, host: 'registry-1.docker.io' },
      ...{ repository: 'library/nginx', tag: '1.27' },
    },
    destination: {
      ...{ kind: 'local', registryId: '__local__', host: 'registry.example', folder: 'team' },
      ...{ repository: 'team/nginx', tag: '1.27' },
    },
    vulnerabilities: ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'],
    age: null,
    signatures: null,
    counts: { ...NO_FINDINGS, HIGH: 3 },
    reason: 'the release needs it',
    ticket: null,
    until: daysLater(30),
    push: null,
    requestedById: 'u1',
    approvals: [],
    approved: [],
    closed: null,
    createdAt: NOW,
    endsAt: daysLater(7),
    ...change,
  };
}
