import { describe, expect, it } from 'vitest';
import {
  dayOf,
  emptyReview,
  isReviewComplete,
  lastDay,
  proposedFolder,
  waiverBodies,
} from './review-form.ts';

const NOW = new Date('2026-11-23T10:00:00').getTime();
const job = { digest: `sha256:${'a'.repeat(64)}` };
const FORM = { ...emptyReview(['CVE-1'], NOW), reason: ' not reachable ' };

describe('the request of a review', () => {
  it('is for 90 days at first and for at most 365', () => {
    expect(FORM.until).toBe(dayOf(NOW + 90 * 86_400_000));
    const end = new Date(`${lastDay(NOW)}T23:59:59`).getTime();
    expect(end - NOW).toBeLessThanOrEqual(365 * 86_400_000);
  });

  it.each([
    ['with a reason, a finding and a folder', FORM, 'team', true],
    ['without a reason', { ...FORM, reason: ' ' }, 'team', false],
    ['without a finding', { ...FORM, chosen: new Set<string>() }, 'team', false],
    ['without a folder', FORM, null, false],
    ['for a repository without its name', { ...FORM, scope: 'repository' as const }, 'team', false],
  ])('%s is complete: %s', (_, form, folder, complete) => {
    expect(isReviewComplete(form, folder)).toBe(complete);
  });

  it.each([
    ['the image', { scope: 'digest' as const }, 'team', { digest: job.digest, folder: 'team' }],
    [
      'a repository',
      { scope: 'repository' as const, repository: 'team/*' },
      'team',
      { digest: null, repository: 'team/*' },
    ],
    ['all folders', { scope: 'folder' as const }, '', { digest: null, folder: null }],
  ])('for %s makes one waiver of each chosen finding', (_, change, folder, expected) => {
    const blocking = ['CVE-1', 'CVE-2'].map((id) => ({ id, packages: [] })) as never;
    const bodies = waiverBodies({ ...FORM, ...change }, job, { blocking, folder });
    expect(bodies).toMatchObject([
      { vulnerability: 'CVE-1', reason: 'not reachable', ticket: null, ...expected },
    ]);
  });
});

it.each([
  ['its folder', 'local', 'shop', 'shop'],
  ['all folders for the root folder', 'local', '__root__', ''],
  ['all folders for another registry', 'registry', null, ''],
] as const)('waivers are proposed for %s', (_, kind, folder, expected) => {
  const place = { registry_id: null, host: 'r.example', repository: 'shop/app', tag: '1' };
  const destination = { kind, folder, ...place };
  expect(proposedFolder({ destination })).toBe(expected);
  expect(proposedFolder({ destination: null })).toBeNull();
});
