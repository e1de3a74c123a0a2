import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv, readSecretFiles, secret, secretNames } from './env.ts';

const Config = z.object({
  PORT: z.coerce.number().int().default(8080),
  DATABASE_URL: z.url(),
  SECRET: secret(z.string().min(16)),
});

describe('parseEnv', () => {
  it('treats an empty variable as absent', () => {
    const env = { PORT: '', DATABASE_URL: 'postgresql://x', SECRET: 'x'.repeat(16), OTHER: 'y' };
    expect(parseEnv(Config, env)).toEqual({
      PORT: 8080,
      DATABASE_URL: 'postgresql://x',
      SECRET: 'x'.repeat(16),
    });
  });

  it('reports all faults at once, by name and without the values', () => {
    const wrong = () => parseEnv(Config, { PORT: 'eighty', SECRET: 'hunter2' });
    expect(wrong).toThrow(/PORT.*\n.*DATABASE_URL.*\n.*SECRET/);
    expect(wrong).not.toThrow(/hunter2|eighty/);
  });
});

async function secretFile(text: string) {
  const dir = await temporaryDir();
  const file = path.join(dir.path, 'secret');
  writeFileSync(file, text);
  return { file, [Symbol.asyncDispose]: () => dir.remove() };
}

describe('a secret', () => {
  const rest = { DATABASE_URL: 'postgresql://x' };

  it('may be in the file that NAME_FILE names, without the last line end', async () => {
    await using made = await secretFile('  sixteen characters \n');
    expect(parseEnv(Config, { ...rest, SECRET_FILE: made.file, SECRET: '' })).toMatchObject({
      SECRET: '  sixteen characters ',
    });
  });

  it('given both ways is a fault that names both', async () => {
    await using made = await secretFile('sixteen characters');
    const twice = { ...rest, SECRET: 'sixteen characters', SECRET_FILE: made.file };
    expect(() => parseEnv(Config, twice)).toThrow(/SECRET\b.*SECRET_FILE/);
  });

  it('whose file cannot be read is reported once, beside the other faults', () => {
    const wrong = () => parseEnv(Config, { SECRET_FILE: '/nonexistent/secret' });
    expect(wrong).toThrow(
      /SECRET: the file that SECRET_FILE names can not be read\n {2}DATABASE_URL/,
    );
    expect(wrong).not.toThrow(/expected string.*\n.*SECRET|nonexistent/);
  });

  it('in an empty file is absent, so that the plain variable is used', async () => {
    await using made = await secretFile('\n');
    expect(() => parseEnv(Config, { ...rest, SECRET_FILE: made.file })).toThrow(/SECRET: /);
    const plain = { ...rest, SECRET: 'sixteen characters', SECRET_FILE: made.file };
    expect(parseEnv(Config, plain)).toMatchObject({ SECRET: 'sixteen characters' });
  });

  it('is a variable marked by the schema; no other is read from a file', async () => {
    await using made = await secretFile('postgresql://file');
    expect(secretNames(Config)).toEqual(['SECRET']);
    expect(() =>
      parseEnv(Config, { SECRET: 'sixteen characters', DATABASE_URL_FILE: made.file }),
    ).toThrow(/DATABASE_URL/);
  });
});

describe('readSecretFiles', () => {
  it('replaces NAME_FILE by the secret in that file, and leaves the rest unchanged', async () => {
    await using made = await secretFile(' from file\n');
    const env = { A_FILE: made.file, B: 'given', C: '', OTHER_FILE: made.file };
    expect(readSecretFiles(env, ['A', 'B', 'C'])).toEqual({ ...env, A: ' from file' });
  });

  it('refuses one that is given both ways', () => {
    expect(() => readSecretFiles({ A: 'x', A_FILE: '/y' }, ['A'])).toThrow(/A: .*A_FILE/);
  });

  it('names a file that cannot be read', () => {
    expect(() => readSecretFiles({ A_FILE: '/nonexistent/secret' }, ['A'])).toThrow(/A_FILE/);
  });
});
