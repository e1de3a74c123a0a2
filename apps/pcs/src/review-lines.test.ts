import type { Review } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { reviewLines } from './review-lines.ts';

const REVIEW: Review = {
  ...{ number: 42, state: 'open', job_id: null, changed: null, findings_total: 29 },
  image: {
    ...{ digest: 'sha256:a', registry_id: null, host: 'registry-1.docker.io' },
    ...{ repository: 'library/nginx', tag: '1.27' },
  },
  destination: {
    ...{ kind: 'local', registry_id: '__local__', host: 'here', folder: 'shop' },
    ...{ repository: 'shop/nginx', tag: '1.27' },
  },
  counts: { CRITICAL: 29, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 },
  age: null,
  signatures: null,
  ...{ exploited: null, approved_total: 0, reason: 'the release', ticket: null, push: null },
  ...{ until: '2026-12-31T00:00:00Z', approvals: [], approvals_needed: 2, closed: null },
  requested_by: { id: 'u1', username: 'dev' },
  ...{ comments_total: 0, created_at: '2026-12-01T00:00:00Z', ends_at: '2026-12-08T00:00:00Z' },
  may: { decide: false, decide_code: null, withdraw: true, comment: true },
};

it('an open request says what it needs, and until when', () => {
  expect(reviewLines(REVIEW)).toEqual([
    '#42: open, 29 vulnerabilities of library/nginx:1.27 for shop/nginx:1.27',
    '  it needs 2 approvals until 2026-12-08',
  ]);
});

it('a decision says how much is approved, until when, by which account and why', () => {
  const closed = {
    ...{ by: { id: 'u2', username: 'rita' }, at: '2026-12-02T00:00:00Z' },
    comment: 'not the exploited one',
  };
  const decided = { ...REVIEW, state: 'partly_approved', approved_total: 28, closed } as const;
  const push = { state: 'refused', code: 'VULN_BLOCKED' } as const;
  expect(reviewLines({ ...decided, push })).toEqual([
    '#42: partly approved, 29 vulnerabilities of library/nginx:1.27 for shop/nginx:1.27',
    '  28 of 29 were approved',
    '  until 2026-12-31',
    '  by rita: not the exploited one',
    '  the push was refused (VULN_BLOCKED)',
  ]);
});

it('an age that is asked for says until when it waits, and whether it was accepted', () => {
  const age = { sighted_at: null, waits_until: '2026-12-03T10:00:00Z', approved: null };
  const waits = 'the age (it waits until 2026-12-03 10:00 UTC otherwise)';
  const [alone] = reviewLines({ ...REVIEW, findings_total: 0, age });
  expect(alone).toBe(`#42: open, ${waits} of library/nginx:1.27 for shop/nginx:1.27`);
  const decided = { ...REVIEW, age: { ...age, approved: true }, approved_total: 0 } as const;
  expect(reviewLines({ ...decided, state: 'partly_approved' })).toEqual([
    `#42: partly approved, 29 vulnerabilities and ${waits} of library/nginx:1.27 for shop/nginx:1.27`,
    '  0 of 29 were approved, and the age',
    '  until 2026-12-31',
  ]);
});

it('signatures that are asked for say whose, and whether they were accepted', () => {
  const missing = [{ images: '**', any_of: null, all_of: ['release'], attestation: null }];
  const review = { ...REVIEW, findings_total: 0, signatures: { missing, approved: null } };
  expect(reviewLines(review)[0]).toBe(
    '#42: open, missing signatures of release of library/nginx:1.27 for shop/nginx:1.27',
  );
  const signatures = { missing, approved: false };
  expect(reviewLines({ ...REVIEW, state: 'partly_approved', signatures })[1]).toBe(
    '  0 of 29 were approved, and not the signatures',
  );
});

it('a request for another registry names its host', () => {
  const destination = { ...REVIEW.destination, host: 'registry.example', folder: null };
  const [line] = reviewLines({ ...REVIEW, destination, findings_total: 1 });
  expect(line).toBe(
    '#42: open, 1 vulnerability of library/nginx:1.27 for registry.example/shop/nginx:1.27',
  );
});
