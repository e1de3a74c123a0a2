import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fillOnce } from '../programs/cache.ts';
import { identityOf, isAlive } from './identity.ts';
import { tryLock, withLock } from './lock.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'portcullis-test-lock-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const DEAD = `${spawnSync('true').pid} 1 another-boot`;

it('a process is known by more than its pid', () => {
  const own = identityOf(process.pid) ?? '';
  expect(isAlive(own)).toBe(true);
  expect(isAlive(own.replace(/ \d+ /, ' 1 '))).toBe(false);
  expect(isAlive(DEAD)).toBe(false);
});

it('the second process learns who holds the lock, and gets it after the release', async () => {
  const path = join(dir, 'lock');
  const first = await tryLock(path);
  expect(await tryLock(path)).toEqual({ holder: identityOf(process.pid) });
  if ('lock' in first) await first.lock.release();
  expect(await tryLock(path)).toHaveProperty('lock');
});

it.each(Array.from({ length: 10 }, (_, index) => index))(
  'the lock of a dead process is taken over, by one of many, and no draft is left (%i)',
  async () => {
    const path = join(dir, 'lock');
    await writeFile(path, DEAD);
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(path)));
    const taken = attempts.filter((attempt) => 'lock' in attempt);
    if (taken.length === 0) expect(await tryLock(path)).toHaveProperty('lock');
    expect(taken.length).toBeLessThanOrEqual(1);
    expect(await readdir(dir)).toEqual(['lock']);
  },
);

it('a process that died while it took over a dead one’s lock blocks no other', async () => {
  const path = join(dir, 'lock');
  await writeFile(path, DEAD);
  const name = createHash('sha256').update(DEAD).digest('hex').slice(0, 16);
  await writeFile(`${path}.dead.${name}`, DEAD);
  expect(await tryLock(path)).toHaveProperty('lock');
  expect(await readdir(dir)).toEqual(['lock']);
});

it('work under a lock never overlaps', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(join(dir, 'lock'), work)));
  expect(most).toBe(1);
});

it('a folder of the cache is filled once, and whole', async () => {
  const target = join(dir, 'thing');
  let fills = 0;
  const fill = async (draft: string) => {
    fills += 1;
    await writeFile(join(draft, 'content'), 'x');
  };
  await Promise.all([1, 2, 3].map(() => fillOnce(target, fill)));
  expect([fills, await readFile(join(target, 'content'), 'utf8')]).toEqual([1, 'x']);
});

it('a fill that failed leaves nothing and can be tried again', async () => {
  const target = join(dir, 'thing');
  const broken = async (draft: string) => {
    await writeFile(join(draft, 'half'), '');
    throw new Error('no network');
  };
  await expect(fillOnce(target, broken)).rejects.toThrow('no network');
  expect(await readdir(dir)).toEqual([]);
  await fillOnce(target, async () => {});
  expect(await readdir(dir)).toEqual(['thing']);
});
