import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv } from './env.ts';
import { count, flag, port, url, words } from './env-kinds.ts';

const Kinds = z.object({
  FLAG: flag(true),
  COUNT: count(3, 10),
  WORDS: words,
  URL: url('redis:', 'rediss:').optional(),
  PORT: port.optional(),
});

describe('a kind of environment variable', () => {
  it.each([
    [{}, { FLAG: true, COUNT: 3, WORDS: [] }],
    [{ FLAG: 'No' }, { FLAG: false }],
    [{ FLAG: '1' }, { FLAG: true }],
    [{ COUNT: '10' }, { COUNT: 10 }],
    [{ WORDS: ' a, ,b ' }, { WORDS: ['a', 'b'] }],
    [{ URL: 'rediss://r:6379' }, { URL: 'rediss://r:6379' }],
    [{ PORT: '0' }, { PORT: 0 }],
  ])('reads %o', (env, expected) => {
    expect(parseEnv(Kinds, env)).toMatchObject(expected);
  });

  it.each([
    [{ FLAG: 'maybe' }, /FLAG: expected true or false/],
    [{ COUNT: '0' }, /COUNT/],
    [{ COUNT: '11' }, /COUNT/],
    [{ URL: 'https://r' }, /URL: expected a URL that begins with redis:\/\/ or rediss:\/\//],
    [{ URL: 'r:6379' }, /URL: expected a URL/],
    [{ PORT: '65536' }, /PORT/],
  ])('refuses %o', (env, message) => {
    expect(() => parseEnv(Kinds, env)).toThrow(message);
  });
});
