import { expect, it } from 'vitest';
import { reviewMail } from './review-mail.ts';

const SHARED = { key: 'e1', subject: 'library/nginx:1.27' };
const FACTS = { review: 42, by: 'dev', count: 29, destination: 'here/shop/nginx:1.27' };

it('asks a reviewer to decide on the page', () => {
  expect(
    reviewMail({ ...SHARED, kind: 'review.waiting', facts: FACTS }, 'https://gate.example'),
  ).toMatchObject({
    subject: '[Portcullis] #42 library/nginx:1.27: a request needs your review',
    text: [
      'dev asks to accept 29 vulnerabilities of library/nginx:1.27.',
      'Destination: here/shop/nginx:1.27',
      'Decide about request #42 on the page.',
      'https://gate.example/reviews?open=42',
      '',
    ].join('\n'),
    messageId: '<e1.reviews@portcullis>',
  });
});

it.each([
  ['approved', 'approved', 'was approved by rita'],
  ['partly_approved', 'partly approved', 'Of 29 vulnerabilities of library/nginx:1.27, 28 were'],
  ['rejected', 'rejected', 'was rejected by rita'],
  ['expired', 'not decided in time', 'Ask again'],
  ['old_enough', 'old enough by now', 'your request #42 needs no decision any more'],
  ['withdrawn', 'withdrawn', 'was withdrawn by'],
  ['push_refused', 'the push was refused', 'its push was refused: FOLDER_FORBIDDEN'],
] as const)('says that a request is %s', (outcome, title, text) => {
  const facts = { ...FACTS, by: 'rita', approved: 28, outcome, code: 'FOLDER_FORBIDDEN' };
  const mail = reviewMail({ ...SHARED, kind: 'review.decided', facts }, null);
  expect(mail.subject).toBe(`[Portcullis] #42 library/nginx:1.27: ${title}`);
  expect(mail.text).toContain(text);
});

it.each([
  [0, 'dev asks to accept the age (it waits until 2026-12-03 10:00 UTC otherwise) of library/'],
  [2, 'accept 2 vulnerabilities and the age (it waits until 2026-12-03 10:00 UTC otherwise) of'],
])('names an age that is asked for, with %i vulnerabilities', (count, text) => {
  const facts = { ...FACTS, count, waitsUntil: '2026-12-03T10:00:00Z' };
  expect(reviewMail({ ...SHARED, kind: 'review.waiting', facts }, null).text).toContain(text);
});

it('names signatures that are asked for', () => {
  const facts = { ...FACTS, count: 2, missingSignatures: ['release', 'qa'] };
  const { text } = reviewMail({ ...SHARED, kind: 'review.waiting', facts }, null);
  expect(text).toContain('accept 2 vulnerabilities and missing signatures of release and qa of');
});

it('keeps what accounts wrote in its line', () => {
  const facts = { ...FACTS, by: 'rita', outcome: 'rejected', reason: 'no\nSubject: yes' } as const;
  const { text } = reviewMail({ ...SHARED, kind: 'review.decided', facts }, null);
  expect(text).toContain('Comment of rita: no Subject: yes\n');
});
