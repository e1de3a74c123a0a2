import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as laterTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lock, tryLock, withLock } from './file-lock.ts';
import { identityOf, isAlive, isDead, ownMark } from './identity.ts';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'portcullis-test-lock-'));
  path = join(dir, 'lock');
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const DEAD = `${spawnSync('true').pid} 1 another-boot`;
const KINDS = ['process', 'heartbeat'] as const;

/** A lock whose holder is dead by either rule. */
async function leaveDeadLock(): Promise<void> {
  await writeFile(path, DEAD);
  await utimes(path, new Date(0), new Date(0));
}

describe('a process', () => {
  it('is identified by more than its pid', () => {
    const own = identityOf(process.pid) ?? '';
    expect(isAlive(own)).toBe(true);
    expect(isAlive(own.replace(/ \d+ /, ' 1 '))).toBe(false);
    expect(isAlive(DEAD)).toBe(false);
  });

  it('is dead for certain only where its pid is valid', () => {
    const { identity, space } = ownMark();
    expect(isDead({ identity, space })).toBe(false);
    expect(isDead({ identity: DEAD, space })).toBe(true);
    expect(isDead({ identity: DEAD, space: 'another container' })).toBe(false);
  });
});

describe.each(KINDS)('a lock by %s', (kind) => {
  it('has one holder at a time', async () => {
    const first = await tryLock(path, kind);
    const holder = kind === 'process' ? identityOf(process.pid) : expect.any(String);
    expect(await tryLock(path, kind)).toEqual({ holder });
    if ('lock' in first) await first.lock.release();
    await using _next = await lock(path, kind);
    expect(await readdir(dir)).toEqual(['lock']);
  });

  it.each(Array.from({ length: 10 }, (_, index) => index))(
    'of a dead process is taken over, by one of many, and no draft is left (%i)',
    async () => {
      await leaveDeadLock();
      const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(path, kind)));
      const taken = attempts.flatMap((attempt) => ('lock' in attempt ? [attempt.lock] : []));
      expect(taken.length).toBeLessThanOrEqual(1);
      await taken[0]?.release();
      const next = await tryLock(path, kind);
      expect(next).toHaveProperty('lock');
      expect(await readdir(dir)).toEqual(['lock']);
      if ('lock' in next) await next.lock.release();
    },
  );

  it('waits until it is aborted, and reports once that it waits', async () => {
    await using _held = await lock(path, kind);
    let waits = 0;
    const ending = new AbortController();
    const onWait = () => {
      waits += 1;
      // It looks several times meanwhile.
      setTimeout(() => ending.abort(), 300);
    };
    await expect(lock(path, kind, { signal: ending.signal, onWait })).rejects.toThrow();
    expect(waits).toBe(1);
  });
});

it('a process that died while it took over a dead one’s lock does not block others', async () => {
  await writeFile(path, DEAD);
  const name = createHash('sha256').update(DEAD).digest('hex').slice(0, 16);
  await writeFile(`${path}.dead.${name}`, DEAD);
  expect(await tryLock(path, 'process')).toHaveProperty('lock');
  expect(await readdir(dir)).toEqual(['lock']);
});

it('a process that read a dead one’s lock leaves the lock of the process that took it over', async () => {
  // The reader of a FIFO waits for its writer, so the lock changes hands after it was opened.
  spawnSync('/usr/bin/mkfifo', [path]);
  const late = tryLock(path, 'process');
  await using written = await open(path, 'w');
  await rm(path);
  expect(await tryLock(path, 'process')).toHaveProperty('lock');
  await written.writeFile(DEAD);
  await written.close();
  expect(await late).toEqual({ holder: identityOf(process.pid) });
  expect(await readdir(dir)).toEqual(['lock']);
});

it('work under a lock never overlaps', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await laterTurn();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(path, work)));
  expect(most).toBe(1);
});
