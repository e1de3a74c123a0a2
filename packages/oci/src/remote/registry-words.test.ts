import { expect, it } from 'vitest';
import { bodyWords, registryWords, withoutSecrets } from './registry-words.ts';

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

it.each<[string, string, string | undefined]>([
  ['GitLab', '{"message":"403 Forbidden: no such project"}', '403 Forbidden: no such project'],
  ['Docker Hub’s token service', '{"details":"incorrect login"}', 'incorrect login'],
  ['Quay', '{"error":"invalid_token","error_message":"expired"}', 'expired'],
  ['an OAuth server', '{"error":"invalid_scope"}', 'invalid_scope'],
  [
    'nginx',
    '<html><head><title>413 Request Entity Too Large</title>',
    '413 Request Entity Too Large',
  ],
  ['an object store', '<?xml version="1.0"?><Error><Message>Slow down</Message>', 'Slow down'],
  ['Nexus', 'HTTP method POST is not supported here\n', 'HTTP method POST is not supported here'],
  ['Go', '404 page not found', '404 page not found'],
  ['the specification, without a message', '{"errors":[{"code":"DENIED"}]}', undefined],
  ['a page without words', '<html><script>x</script></html>', undefined],
  ['a list', '["a"]', undefined],
  ['bytes', '\ufffd\ufffd', undefined],
  ['nothing', '', undefined],
  ['a broken document', '{"message":', undefined],
  ['a proxy that repeats a token', 'denied: Bearer abcdefgh.ijkl', 'denied: ***'],
])('of an answer as of %s', (_, body, expected) => {
  expect(bodyWords(Buffer.from(body))).toBe(expected);
});

it('of an answer in another form are at most 300 characters', () => {
  expect(bodyWords(Buffer.from('word '.repeat(100_000)))?.length).toBeLessThanOrEqual(301);
});
