import { expect, it } from 'vitest';
import { parseSharedCredentials } from './shared-credentials.ts';

const KEYS = 'aws_access_key_id = AKIA1\naws_secret_access_key=a/b+c=\n';
const READ = { accessKeyId: 'AKIA1', secretAccessKey: 'a/b+c=' };

it.each([
  ['the profile default', `[default]\n${KEYS}`, READ],
  [
    'lines of Windows, spaces and a comment',
    `# mine\r\n[ default ]\r\n  ${KEYS.replaceAll('\n', '\r\n')}`,
    READ,
  ],
  [
    'the default among others',
    `[prod]\naws_access_key_id=x\naws_secret_access_key=y\n[default]\n${KEYS}[z]\naws_access_key_id=q`,
    READ,
  ],
  ['a session', `[default]\n${KEYS}aws_session_token = t==\n`, { ...READ, sessionToken: 't==' }],
  ['another profile alone', `[prod]\n${KEYS}`, null],
  ['no profile', KEYS, null],
  ['half of it', '[default]\naws_access_key_id = AKIA1\n', null],
  ['an empty key', '[default]\naws_access_key_id = \naws_secret_access_key = x\n', null],
  ['nothing', '', null],
])('credentials: %s', (_, text, expected) => {
  expect(parseSharedCredentials(text)).toEqual(expected);
});
