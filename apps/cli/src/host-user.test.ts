import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { hostUser } from './host-user.ts';

it.each<[string, string, (() => { username: string })?]>([
  ['by its name', userInfo().username],
  [
    'by its number, where the machine knows no name for it',
    `uid ${process.getuid?.()}`,
    () => {
      throw new Error('uv_os_get_passwd returned ENOENT (no such file or directory)');
    },
  ],
])('who runs a command is told %s', (_, name, account) => {
  expect(hostUser(account)).toBe(`${name}@${hostname()}`);
});
