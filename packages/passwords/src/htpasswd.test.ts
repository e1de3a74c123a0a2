import bcrypt from 'bcryptjs';
import { expect, it } from 'vitest';
import { htpasswdLine } from './htpasswd.ts';

it('the entry has the lowest cost of bcrypt, because the registry compares it at each request', async () => {
  const [, hash = ''] = /^portcullis:(\S+)\n$/.exec(await htpasswdLine('portcullis', 'p')) ?? [];
  expect(bcrypt.getRounds(hash)).toBe(4);
  expect(await bcrypt.compare('p', hash)).toBe(true);
});
