import { expect, it } from 'vitest';
import { waiverMail } from './waiver-mail.ts';

const ending = (change: object = {}) => ({
  vulnerability: 'CVE-2026-1',
  package: 'openssl',
  folder: null,
  expires_at: '2026-12-01T00:00:00.000Z',
  ...change,
});

it.each([
  ['one waiver', [ending()], '[Portcullis] your waiver of CVE-2026-1 ends soon'],
  ['several', [ending(), ending()], '[Portcullis] 2 of your waivers end soon'],
  ['an event without any', 'none', '[Portcullis] 0 of your waivers end soon'],
])('the subject of %s', (_, waivers, subject) => {
  expect(waiverMail({ id: 'e', detail: { waivers } }).subject).toBe(subject);
});

it('has a line for each waiver, whatever its fields', () => {
  const forged = ending({ folder: 'team\nBcc: x@example.com' });
  expect(waiverMail({ id: 'e', detail: { waivers: [ending(), forged] } }).text).toBe(
    [
      'These waivers end soon; images that need them are blocked then. Request others in time.',
      '',
      '2026-12-01T00:00:00.000Z  CVE-2026-1 (package openssl)',
      '2026-12-01T00:00:00.000Z  CVE-2026-1 (package openssl, folder team Bcc: x@example.com)',
      '',
    ].join('\n'),
  );
});
