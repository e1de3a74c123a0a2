import { describe, expect, it } from 'vitest';
import { requirementFixture } from '../signatures/signature.fixture.ts';
import { daysLater, findingFixture, NOW } from '../standing/standing.fixture.ts';
import { reviewFixture } from './review.fixture.ts';
import { askedIds, MOST_REVIEWED_PACKAGES, vulnerabilitiesIn } from './review.ts';
import {
  endOfReview,
  mayEndAt,
  rejectedReview,
  reviewChange,
  reviewStateAt,
  withdrawnReview,
  withReviewApproval,
} from './review-decision.ts';
import { countsOfReview, reviewedFindings, scopesOfReview } from './review-findings.ts';

const RITA = { id: 'u2', username: 'rita' };
const ROB = { id: 'u3', username: 'rob' };
const ALL = { except: [], until: null, comment: null, needed: 1, now: NOW };
const WANTED = { state: 'wanted', code: null } as const;
const FOUND = [{ vulnerability: 'CVE-2026-1' }];

describe('a review request', () => {
  it.each([
    ['open', daysLater(1), 'open'],
    ['open', NOW, 'expired'],
    ['approved', daysLater(-1), 'approved'],
    ['withdrawn', daysLater(-1), 'withdrawn'],
  ] as const)('that is %s and ends at %s is %s', (state, endsAt, expected) => {
    expect(reviewStateAt(reviewFixture({ state, endsAt }), NOW)).toBe(expected);
  });

  it('expires after some days, and not after the end that it asks for', () => {
    const asked = { age: null, signatures: null, findings: FOUND };
    expect(endOfReview(NOW, 7, { ...asked, until: daysLater(30) })).toEqual(daysLater(7));
    expect(endOfReview(NOW, 7, { ...asked, until: daysLater(3) })).toEqual(daysLater(3));
  });

  it.each([
    ['needs no decision once its image is old enough', 2, {}, 2],
    ['expires before that where no reviewer decides', 9, {}, 7],
    ['of findings as well waits on', 2, { findings: FOUND }, 7],
    ['of signatures as well waits on', 2, { signatures: [requirementFixture()] }, 7],
  ])('for an age %s', (_, waits, more, end) => {
    const age = { sightedAt: NOW, waitsUntil: daysLater(waits) };
    const asked = { until: daysLater(30), age, signatures: null, findings: [], ...more };
    expect(endOfReview(NOW, 7, asked)).toEqual(daysLater(end));
  });

  it('names an age and signatures after the vulnerabilities', () => {
    const age = { sightedAt: null, waitsUntil: NOW };
    expect(askedIds({ findings: FOUND, age, signatures: [] })).toEqual([
      ...['CVE-2026-1', 'TOO_YOUNG', 'SIGNATURE_MISSING'],
    ]);
    expect(askedIds({ findings: [], age: null, signatures: null })).toEqual([]);
    expect(vulnerabilitiesIn(['CVE-2026-1', 'TOO_YOUNG', 'SIGNATURE_MISSING'])).toEqual([
      'CVE-2026-1',
    ]);
  });
});

it.each([
  [-1, false],
  [0, false],
  [1, true],
  [30, true],
  [31, false],
])('an approval that ends after %s days is one of a request for 30: %s', (days, expected) => {
  expect(mayEndAt(reviewFixture({ until: daysLater(30) }), daysLater(days), NOW)).toBe(expected);
});

describe('an approval', () => {
  it('of all of it approves the request, and makes its push due', () => {
    const review = withReviewApproval(reviewFixture({ push: WANTED }), RITA, ALL);
    expect(review).toMatchObject({
      state: 'approved',
      approved: ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'],
      closed: { accountId: 'u2', username: 'rita', at: NOW },
      push: { state: 'due' },
    });
  });

  it('of all but some approves the others', () => {
    const order = { ...ALL, except: ['CVE-2026-2'] };
    expect(withReviewApproval(reviewFixture(), RITA, order)).toMatchObject({
      state: 'partly_approved',
      approved: ['CVE-2026-1', 'CVE-2026-3'],
      push: null,
    });
  });

  it('counts until there are as many as are needed, each account once', () => {
    const two = { ...ALL, needed: 2 };
    const once = withReviewApproval(reviewFixture(), RITA, two);
    expect(once).toMatchObject({ state: 'open', approved: [], closed: null });
    const again = withReviewApproval(once, RITA, { ...two, except: ['CVE-2026-3'] });
    expect(again).toMatchObject({ state: 'open', approvals: [{ except: ['CVE-2026-3'] }] });
    expect(withReviewApproval(again, ROB, two)).toMatchObject({
      state: 'partly_approved',
      approved: ['CVE-2026-1', 'CVE-2026-2'],
    });
  });

  it.each([
    [null, null, 30],
    [14, null, 14],
    [14, 7, 7],
    [null, 14, 14],
  ])('until the %s. and the %s. day holds until the %s.', (first, second, days) => {
    const on = (day: number | null) => (day === null ? null : daysLater(day));
    const two = { ...ALL, needed: 2 };
    const once = withReviewApproval(reviewFixture({ until: daysLater(30) }), RITA, {
      ...two,
      until: on(first),
    });
    expect(once.until).toEqual(daysLater(30));
    const twice = withReviewApproval(once, ROB, { ...two, until: on(second) });
    expect(twice.until).toEqual(daysLater(days));
  });

  it('counts no more once the end that it set has passed', () => {
    const two = { ...ALL, needed: 2 };
    const once = withReviewApproval(reviewFixture(), RITA, { ...two, until: daysLater(2) });
    const late = withReviewApproval(once, ROB, { ...two, now: daysLater(3) });
    expect(late).toMatchObject({ state: 'open', approvals: [{ username: 'rob' }] });
  });

  it('of two accounts that agree on nothing rejects the request', () => {
    const two = { ...ALL, needed: 2 };
    const review = reviewFixture({ vulnerabilities: ['CVE-2026-1', 'CVE-2026-2'], push: WANTED });
    const once = withReviewApproval(review, RITA, { ...two, except: ['CVE-2026-1'] });
    const twice = withReviewApproval(once, ROB, { ...two, except: ['CVE-2026-2'] });
    expect(twice).toMatchObject({ state: 'rejected', approved: [], push: { state: 'dropped' } });
  });
});

it('a rejected or withdrawn request approves nothing and is not pushed', () => {
  const order = { comment: 'no', now: NOW };
  const open = reviewFixture({ push: WANTED });
  expect(rejectedReview(open, RITA, order)).toMatchObject({
    ...{ state: 'rejected', approved: [], push: { state: 'dropped' } },
    closed: { username: 'rita', comment: 'no' },
  });
  expect(withdrawnReview(open, { id: 'u1', username: 'dev' }, order)).toMatchObject({
    ...{ state: 'withdrawn', approved: [], push: { state: 'dropped' } },
  });
});

it.each([
  ['j1', 'sha256:a', null],
  ['j1', 'sha256:b', 'image_changed'],
  ['j1', null, 'image_changed'],
  [null, null, 'job_removed'],
])('of the job %s, whose image is %s, this changed: %s', (jobId, digest, expected) => {
  expect(reviewChange(reviewFixture({ jobId }), digest)).toBe(expected);
});

it('nothing changed of an image of the built-in registry without a job', () => {
  const image = { ...reviewFixture().image, registryId: '__local__' };
  expect(reviewChange(reviewFixture({ jobId: null, image }), null)).toBeNull();
});

describe('what is asked for', () => {
  const packages = (names: string[]) =>
    names.map((name, at) => ({
      ...{ name, installedVersion: '3.0.1', fixedVersion: at === 0 ? '3.0.2' : '' },
      ...{ status: 'fixed', target: 't', path: null, purl: null, platform: null },
      layerDigest: at === 0 ? 'sha256:base' : 'sha256:own',
    }));
  const vulnerability = (id: string, names: string[]) => ({
    ...{ id, severity: 'CRITICAL' as const, title: `title of ${id}`, cvssScore: 9.8 },
    ...{ cvssVector: null, cvssSource: null, primaryUrl: null, publishedAt: null },
    packages: packages(names),
  });
  const blocks = (id: string, name: string, severity: 'HIGH' | 'CRITICAL' = 'HIGH') => ({
    finding: findingFixture({ id, package: name, severity }),
  });

  it('are the vulnerabilities that block, with the packages that block', () => {
    const report = {
      vulnerabilities: [
        vulnerability('CVE-1', ['openssl', 'libssl3']),
        vulnerability('CVE-2', ['openssl', 'libssl3']),
        vulnerability('CVE-3', ['zlib']),
      ],
      baseLayers: ['sha256:base'],
    };
    const blocking = [
      blocks('CVE-1', 'openssl'),
      blocks('CVE-2', 'openssl', 'CRITICAL'),
      blocks('CVE-2', 'libssl3'),
    ];
    const found = reviewedFindings(report, blocking);
    expect(found).toMatchObject([
      {
        ...{ vulnerability: 'CVE-2', severity: 'CRITICAL', packagesTotal: 2 },
        packages: [
          { name: 'openssl', fixedVersion: '3.0.2', inBase: true },
          { name: 'libssl3', fixedVersion: null, inBase: false },
        ],
      },
      { vulnerability: 'CVE-1', severity: 'HIGH', packages: [{ name: 'openssl' }] },
    ]);
    expect(countsOfReview(found)).toMatchObject({ CRITICAL: 1, HIGH: 1, MEDIUM: 0 });
  });

  it('does not say where a package is from if the image does not tell', () => {
    const report = {
      vulnerabilities: [vulnerability('CVE-1', ['openssl'])],
      baseLayers: undefined,
    };
    const [found] = reviewedFindings(report, [blocks('CVE-1', 'openssl')]);
    expect(found?.packages).toMatchObject([{ inBase: null }]);
  });

  it('leaves waivers of this image alone, for one package where only one has it', () => {
    const names = Array.from({ length: MOST_REVIEWED_PACKAGES + 1 }, (_, at) => `p${at}`);
    const report = {
      vulnerabilities: [
        vulnerability('CVE-1', ['openssl']),
        vulnerability('CVE-2', ['openssl', 'libssl3']),
        vulnerability('CVE-3', names),
      ],
    };
    const blocking = [
      ...[blocks('CVE-1', 'openssl'), blocks('CVE-2', 'openssl'), blocks('CVE-2', 'libssl3')],
      ...names.map((name) => blocks('CVE-3', name)),
    ];
    const found = reviewedFindings(report, blocking);
    expect(found.map((each) => each.packages.length)).toEqual([1, 2, MOST_REVIEWED_PACKAGES]);
    const review = reviewFixture({ approved: ['CVE-1', 'CVE-2', 'CVE-3'] });
    const shared = { packageVersion: null, repository: null, digest: 'sha256:a', folder: 'team' };
    expect(scopesOfReview(review, found)).toEqual([
      { vulnerability: 'CVE-1', package: 'openssl', ...shared },
      { vulnerability: 'CVE-2', package: null, ...shared },
      { vulnerability: 'CVE-3', package: null, ...shared },
    ]);
  });

  it('leaves waivers of the repository where the destination is another registry', () => {
    const destination = {
      ...{ kind: 'registry' as const, registryId: 'r1', host: 'r.example', folder: null },
      ...{ repository: 'x/app', tag: '1' },
    };
    const review = reviewFixture({ destination, approved: ['CVE-1'] });
    expect(scopesOfReview(review, [])).toMatchObject([
      { digest: 'sha256:a', repository: 'x/app', folder: null },
    ]);
  });
});
