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
      said.push('hashed');
      return password === hash;
    },
  },
  guesses: {
    async spend() {
      if (exhausted) throw rateLimited('LOGIN_THROTTLED', '');
      said.push('spent');
    },
    failed: async () => void said.push('failed'),
    succeeded: async () => void said.push('succeeded'),
  },
});

const attempt = (password: string) => check({ username: 'ann', password, clientIp: '10.0.0.1' });

beforeEach(() => {
  said = [];
  exhausted = false;
  user = ANN;
});

it('a guess is counted before it is checked, and forgiven when it was right', async () => {
  expect(await attempt('right')).toBe(ANN);
  expect(said).toEqual(['spent', 'hashed', 'succeeded']);
});

it('a wrong one is its address’s, too, and hashes as much where there is no account', async () => {
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
  user = null;
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
  expect(said).toEqual(['spent', 'hashed', 'failed', 'spent', 'hashed', 'failed']);
});

it('is not even looked at without budget', async () => {
  exhausted = true;
  await expect(attempt('right')).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' });
  expect(said).toEqual([]);
});

it('ten at once with the same password are one guess; another password is another', async () => {
  await Promise.all(Array.from({ length: 10 }, () => attempt('right')));
  expect(said.filter((word) => word === 'spent')).toHaveLength(1);
  await Promise.allSettled([attempt('right'), attempt('wrong')]);
  expect(said.filter((word) => word === 'spent')).toHaveLength(3);
});

it('of a disabled account is told after the right password only', async () => {
  user = { ...ANN, disabled: true };
  await expect(attempt('right')).rejects.toMatchObject({ code: 'ACCOUNT_DISABLED' });
  await expect(attempt('wrong')).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
});
