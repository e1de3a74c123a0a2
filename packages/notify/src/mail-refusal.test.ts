import { expect, it } from 'vitest';
import { refusedRecipients } from './mail-refusal.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';

it.each<[string, string[], number, string, boolean]>([
  ['too many recipients, as of RFC 5321', [ANN], 452, '452 4.5.3 Too many recipients', false],
  ['too many recipients, as of RFC 821', [ANN], 552, '552 Too many recipients', false],
  ['too many recipients, with a final class', [ANN], 552, '552 5.5.3 Too many recipients', false],
  ['a full mailbox', [ANN], 552, '552 5.2.2 Mailbox full', true],
  ['a full mailbox for now', [ANN], 452, '452 4.2.2 Mailbox full', false],
  ['the only recipient', [], 552, '552 Exceeded storage allocation', true],
  ['an unknown mailbox', [ANN], 550, '550 5.1.1 No such user', true],
  ['a mailbox that is busy', [ANN], 450, '450 4.2.0 Greylisted', false],
  ['a login that is missing', [], 530, '530 5.7.0 Authentication required', false],
])('a refusal of a recipient for %s', (_, accepted, responseCode, response, isFinal) => {
  const rejectedErrors = [{ recipient: BOB, responseCode, response }];
  expect(refusedRecipients({ accepted, rejectedErrors })).toEqual(new Map([[BOB, isFinal]]));
});
