import { rateLimited } from '@portcullis/errors';
import type { User } from '@portcullis/store';
import { sampleUser } from '@portcullis/testing/samples';
import { beforeEach, expect, it } from 'vitest';
import { createPasswordCheck } from './password-check.ts';

const ANN = sampleUser({ passwordHash: 'right' });

let said: string[];
let exhausted: boolean;
let user: User | null;

const check = createPasswordCheck({
  users: { findByUsername: async () => user },
  passwords: {
    hash: async () => '',
    close: async () => {},
    async verify(password, hash) {
      if (password === 'one too many') throw rateLimited('LOGINS_BUSY', '');
      said.push('hashed');
      return password === hash;
    },
  },
  guesses: {
    async spend() {
      if (exhausted) throw rateLimited('LOGIN_THROTTLED', '');
      said.push('spent');
    },
    unchecked: async () => void said.push('unchecked'),
    succeeded: async () => void said.push('succeeded'),
  },
});

const attempt = (password: string) => check({ username: 'ann', password, clientIp: '10.0.0.1' });

beforeEach(() => {
  said = [];
  exhausted = false;
  user = ANN;
});

it('an attempt is counted before it is checked, and the count is reset if it was right', async () => {
  expect(await attempt('right')).toBe(ANN);
  expect(said).toEqual(['spent', 'hashed', 'succeeded']);
});

it('a wrong password stays counted, and costs the same hash without an account', async () => {
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
  user = null;
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
  expect(said).toEqual(['spent', 'hashed', 'spent', 'hashed']);
});

it('does not count where no password was checked', async () => {
  await expect(attempt('one too many')).rejects.toMatchObject({ code: 'LOGINS_BUSY' });
  expect(said).toEqual(['spent', 'unchecked']);
});

it('is not checked above the limit', async () => {
  exhausted = true;
  await expect(attempt('right')).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' });
  expect(said).toEqual([]);
});

it('ten concurrent attempts with one password count once; another password counts again', async () => {
  await Promise.all(Array.from({ length: 10 }, () => attempt('right')));
  expect(said.filter((word) => word === 'spent')).toHaveLength(1);
  await Promise.allSettled([attempt('right'), attempt('wrong')]);
  expect(said.filter((word) => word === 'spent')).toHaveLength(3);
});

it('a disabled account is reported after the right password only', async () => {
  user = { ...ANN, disabled: true };
  await expect(attempt('right')).rejects.toMatchObject({ code: 'ACCOUNT_DISABLED' });
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
});
