import { expect, it } from 'vitest';
import { registryWords, withoutSecrets } from './registry-words.ts';

it.each<[string, unknown[], string | undefined]>([
  ['a message', [{ code: 'DENIED', message: 'quota used up' }], 'quota used up'],
  [
    'a message with a detail',
    [{ message: 'denied', detail: 'over 10 GiB' }],
    'denied: over 10 GiB',
  ],
  ['two messages', [{ message: 'one' }, { message: 'two' }, { message: 'one' }], 'one; two'],
  ['no message', [{ code: 'DENIED' }, null, 'text', 7], undefined],
  ['a message that is no text', [{ message: { a: 1 } }], undefined],
  ['line feeds and escapes', [{ message: 'a\r\nb\u001b[31mc\u0000' }], 'a b [31mc'],
  ['reversed text', [{ message: 'a\u202Eb' }], 'a b'],
  ['a token', [{ message: 'bad Bearer abcdefgh.ijkl' }], 'bad ***'],
  ['a JWT', [{ message: 'eyJhbGciOiJub25lIn0.eyJ4IjoxfQ.x is over' }], '*** is over'],
  ['a password', [{ message: 'password="hunter2", sorry' }], 'password="***", sorry'],
  ['a login in a URL', [{ message: 'at https://ci:pw@host/x' }], 'at https://***@host/x'],
  ['a signed URL', [{ message: '/x?X-Amz-Signature=abc&y=1' }], '/x?X-Amz-Signature=***&y=1'],
])('of %s', (_, errors, expected) => {
  expect(registryWords(errors)).toBe(expected);
});

it('are at most 300 characters', () => {
  expect(registryWords([{ message: 'word '.repeat(1_000) }])?.length).toBeLessThanOrEqual(301);
});

it('have no secret that was sent', () => {
  const body = Buffer.from('the login ci with pässword is wrong');
  expect(withoutSecrets(body, ['pässword', '']).toString()).toBe('the login ci with *** is wrong');
  expect(withoutSecrets(body, ['other'])).toBe(body);
});
