import { expect, it } from 'vitest';
import { ownersOf, standingMail } from './standing-mail.ts';

const of = (event: string, name: string, detail: Record<string, unknown>) => ({
  id: `${event}-${name}`,
  at: '2026-11-23T00:00:00.000Z',
  event,
  resource: { kind: 'image', id: 'sha256:a', name },
  detail,
});

it('one mail says what is blocked, what passes again, and what is new', () => {
  const mail = standingMail(
    [
      of('image.blocked', 'team/app', {
        tags: ['1.0', '1.1'],
        policy: 'prod',
        blocking: ['CVE-1', 'CVE-2', 'CVE-3', 'CVE-4', 'CVE-5', 'CVE-6'],
        blocking_total: 9,
        standing: { state: 'blocked', code: 'VULN_BLOCKED', blocking_total: 9, fixable_total: 4 },
      }),
      of('image.cleared', 'team/web', {
        tags: ['2'],
        standing: { state: 'allowed', until: '2026-12-24T00:00:00.000Z', by: ['rita'] },
      }),
      of('vulnerability.appeared', 'CVE-7', {
        severity: 'HIGH',
        images: 9,
        folders: ['team', 'ci', 'secret'],
        owners: [
          { id: 'other', folders: ['secret'] },
          { id: 'reader', folders: ['team', 'ci'] },
        ],
      }),
    ],
    'reader',
  );
  expect(mail.subject).toBe(
    '[Portcullis] your images: 1 blocked, 1 allowed again, 1 new vulnerabilities',
  );
  expect(mail.text.split('\n')).toEqual([
    'Blocked now:',
    '  team/app:1.0@sha256:a (1.1): blocked · 9 vulnerabilities, 4 of them with a fix (policy prod: CVE-1, CVE-2, CVE-3, CVE-4, CVE-5, 4 more)',
    '',
    'Allowed again:',
    '  team/web:2@sha256:a: allowed until 2026-12-24 by rita',
    '',
    'Found for the first time:',
    '  CVE-7 (HIGH) in team, ci',
    '',
  ]);
});

it('an event without a standing has no numbers', () => {
  const { text } = standingMail([of('image.blocked', 'team/app', { policy: 'prod' })], 'reader');
  expect(text).toContain('\n  team/app@sha256:a (policy prod)\n');
});

it('a thousand images are one mail of a few hundred lines', () => {
  const many = Array.from({ length: 1_000 }, (_, nth) =>
    of('image.blocked', `team/app-${nth}`, { policy: 'prod', code: 'DATABASE_TOO_OLD' }),
  );
  const { text } = standingMail(many, 'reader');
  expect(text.split('\n')).toHaveLength(203);
  expect(text).toContain('… and 800 more');
});

it.each([
  ['names that would forge a line', of('image.cleared', 'a\nBcc: x@example.com', {})],
  ['details of other types', of('image.blocked', 'a', { blocking: 'none', policy: 7, owners: {} })],
])('%s stay within their line', (_, event) => {
  expect(standingMail([event], 'reader').text.trimEnd().split('\n')).toHaveLength(2);
});

it('owners are the accounts in the detail', () => {
  expect(ownersOf({ detail: { owners: [{ id: 'a' }, { name: 'b' }, null, { id: 3 }] } })).toEqual([
    'a',
  ]);
  expect(ownersOf({ detail: {} })).toEqual([]);
});
