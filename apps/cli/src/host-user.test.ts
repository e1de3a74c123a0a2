import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { hostUser } from './host-user.ts';

it.each<[string, string, (() => { username: string })?]>([
  ['its name', userInfo().username],
  [
    'its number, where it has no name',
    `uid ${process.getuid?.()}`,
    () => {
      throw new Error('uv_os_get_passwd returned ENOENT (no such file or directory)');
    },
  ],
])('the account that runs a command is reported as %s', (_, name, account) => {
  expect(hostUser(account)).toBe(`${name}@${hostname()}`);
});
