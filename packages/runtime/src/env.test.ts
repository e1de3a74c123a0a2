import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv } from './env.ts';

const Config = z.object({
  PORT: z.coerce.number().int().default(8080),
  DATABASE_URL: z.url(),
  SECRET: z.string().min(16),
});

describe('parseEnv', () => {
  it('takes an empty variable for an absent one', () => {
    const env = { PORT: '', DATABASE_URL: 'postgresql://x', SECRET: 'x'.repeat(16), OTHER: 'y' };
    expect(parseEnv(Config, env)).toEqual({
      PORT: 8080,
      DATABASE_URL: 'postgresql://x',
      SECRET: 'x'.repeat(16),
    });
  });

  it('tells all faults at once, by name and without the values', () => {
    const wrong = () => parseEnv(Config, { PORT: 'eighty', SECRET: 'hunter2' });
    expect(wrong).toThrow(/PORT.*\n.*DATABASE_URL.*\n.*SECRET/);
    expect(wrong).not.toThrow(/hunter2|eighty/);
  });
});
