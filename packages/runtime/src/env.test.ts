import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv, readSecretFiles } from './env.ts';

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

describe('readSecretFiles', () => {
  it('takes a secret from its file, unless it is given itself', async () => {
    await using dir = await temporaryDir();
    const file = path.join(dir.path, 'secret');
    writeFileSync(file, ' from file\n');
    const env = { A_FILE: file, B: 'given', B_FILE: file, C: '', OTHER_FILE: file };
    expect(readSecretFiles(env, ['A', 'B', 'C'])).toEqual({ ...env, A: ' from file' });
  });

  it('names a file that can not be read', () => {
    expect(() => readSecretFiles({ A_FILE: '/nonexistent/secret' }, ['A'])).toThrow(/A_FILE/);
  });
});
