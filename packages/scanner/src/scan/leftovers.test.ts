import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownMark } from '@portcullis/runtime';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { type ScannerPaths, scannerPaths } from '../paths.ts';
import { clearLeftovers } from './leftovers.ts';
import { openScanDir } from './scan-dir.ts';

const { identity, space } = ownMark();
const ELSEWHERE = { identity: '7 1 boot', space: 'another-container' };
const DEAD = { identity: `${spawnSync('true').pid} 1 boot`, space };
const RUNNING = { identity, space };
const MINUTE_MS = 60_000;

async function leave(directory: string, owner: object | null, silentMs = 0): Promise<void> {
  await mkdir(directory, { recursive: true });
  const then = new Date(Date.now() - silentMs);
  if (owner) {
    await writeFile(join(directory, '.owner.json'), JSON.stringify(owner));
    await utimes(join(directory, '.owner.json'), then, then);
  }
  await utimes(directory, then, then);
}

async function inDataDir(use: (paths: ScannerPaths) => Promise<void>): Promise<void> {
  await using dir = await temporaryDir();
  await use(scannerPaths(dir.path));
}

describe('F13: the directory of a scan', () => {
  it.each<[string, object | null, number, boolean]>([
    ['is removed at once when its process was killed on this host', DEAD, 0, false],
    ['is kept while its process runs', RUNNING, 0, true],
    ['is kept while a process of another host touches it', ELSEWHERE, MINUTE_MS / 2, true],
    [
      'is removed when a process of another host has not touched it for a minute',
      ELSEWHERE,
      2 * MINUTE_MS,
      false,
    ],
    ['is removed when its pid was reused', RUNNING, 2 * MINUTE_MS, false],
    ['is kept while its owner is about to be written', null, MINUTE_MS / 2, true],
    ['is removed a minute after its process was killed before that', null, 2 * MINUTE_MS, false],
  ])('%s', async (_, owner, silentMs, stays) => {
    await inDataDir(async (paths) => {
      await leave(join(paths.runs, 'scan'), owner, silentMs);
      await leave(join(paths.databases, '.new-1'), owner, silentMs);
      await leave(join(paths.databases, 'version'), DEAD);
      expect(await clearLeftovers(paths)).toBe(stays ? 0 : 2);
      expect(await readdir(paths.runs)).toEqual(stays ? ['scan'] : []);
      expect((await readdir(paths.databases)).sort()).toEqual(
        stays ? ['.new-1', 'version'] : ['version'],
      );
    });
  });

  it('that is in use is kept, and removed when it is closed', async () => {
    await inDataDir(async (paths) => {
      const dir = await openScanDir(paths.runs);
      expect(await clearLeftovers(paths)).toBe(0);
      expect(await readdir(paths.runs)).toHaveLength(1);
      await dir[Symbol.asyncDispose]();
      expect(await readdir(paths.runs)).toEqual([]);
    });
  });
});

it('F13: locks of killed updates are removed, held ones are kept', async () => {
  await inDataDir(async (paths) => {
    await mkdir(paths.databases, { recursive: true });
    const long = new Date(Date.now() - 2 * MINUTE_MS);
    const old = ['update.lock', 'update.lock.12.0a1b2c3d', 'update.lock.dead.0123456789abcdef'];
    const held = ['java.lock', 'java.lock.13.0a1b2c3d'];
    for (const name of [...old, ...held]) await writeFile(join(paths.databases, name), name);
    for (const name of old) await utimes(join(paths.databases, name), long, long);
    expect(await clearLeftovers(paths)).toBe(3);
    expect((await readdir(paths.databases)).sort()).toEqual(held);
  });
});
