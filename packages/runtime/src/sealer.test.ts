import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealer } from './sealer.ts';
import { loadSecretKey } from './secret-key.ts';

describe('the sealer', () => {
  const box = sealer(Buffer.alloc(32, 1));

  it.each(['', 'hunter2', 'pässwörd ✓'.repeat(100)])('opens what it sealed: %s', (text) => {
    const sealed = box.seal(text);
    expect(box.open(sealed)).toBe(text);
    expect(sealed).not.toContain('hunter2');
    expect(box.seal(text)).not.toBe(sealed);
  });

  it('refuses another key, damaged text, and text that it did not seal', () => {
    const sealed = box.seal('hunter2');
    const unreadable = expect.objectContaining({ code: 'SECRET_UNREADABLE' });
    const faults = [
      () => sealer(Buffer.alloc(32, 2)).open(sealed),
      () => box.open(sealed.slice(0, -4)),
      () => box.open(sealed.slice(0, 14)),
      () =>
        box.open(
          sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/^(.{20})./, '$1-'),
        ),
      () => box.open('hunter2'),
      () => box.open(''),
    ];
    for (const fault of faults) expect(fault).toThrow(unreadable);
  });
});

describe('the secret key', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'key-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is created once for all processes that start together, and only its owner may read it', async () => {
    const dataDir = path.join(dir, 'data');
    const keys = await Promise.all([1, 2, 3, 4, 5].map(() => loadSecretKey({ dataDir })));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    expect((await stat(path.join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
    expect(await loadSecretKey({ dataDir })).toEqual(keys[0]);
  });

  it('may be configured in hex, base64 or as a phrase; a short one is refused', async () => {
    const key = Buffer.alloc(32, 9);
    for (const secretKey of [key.toString('hex'), key.toString('base64')]) {
      expect(await loadSecretKey({ secretKey, dataDir: dir })).toEqual(key);
    }
    expect(
      await loadSecretKey({ secretKey: 'a phrase of some length', dataDir: dir }),
    ).toHaveLength(32);
    const short = loadSecretKey({ secretKey: 'hunter2', dataDir: dir });
    await expect(short).rejects.toMatchObject({
      code: 'SECRET_KEY_INVALID',
      message: expect.not.stringContaining('hunter2'),
    });
    expect(await readdir(dir)).toEqual([]);
  });

  it('a damaged key file stops the start: a new key would orphan every secret', async () => {
    await writeFile(path.join(dir, 'secret.key'), '');
    await expect(loadSecretKey({ dataDir: dir })).rejects.toMatchObject({
      code: 'SECRET_KEY_INVALID',
    });
  });
});
