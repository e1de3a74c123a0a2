import { expect, it } from 'vitest';
import { decidedMail, waitingMail } from './waiver-review-mail.ts';

const waiting = { vulnerability: 'CVE-2026-1', folder: 'team', expires_at: '2026-12-01T00:00:00Z' };

it.each([
  ['one request', [waiting], '[Portcullis] a waiver of CVE-2026-1 waits for your review'],
  ['several', [waiting, waiting], '[Portcullis] 2 waivers wait for your review'],
])('the subject of %s', (_, waivers, subject) => {
  expect(waitingMail({ id: 'e', detail: { waivers } }).subject).toBe(subject);
});

it('a decision names the account and the reason, in lines that can not be forged', () => {
  const mail = decidedMail('e', {
    vulnerability: 'CVE-2026-1',
    decision: 'rejected',
    by: 'rita',
    reason: 'it is\nreachable',
  });
  expect(mail.subject).toBe('[Portcullis] your waiver of CVE-2026-1 was rejected');
  expect(mail.text).toBe(
    'Your waiver of CVE-2026-1 was rejected by rita.\nReason: it is reachable\n',
  );
});
