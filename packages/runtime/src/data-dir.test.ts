import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataDir } from './data-dir.ts';

let place: string;
let umask: number;

beforeEach(async () => {
  umask = process.umask(0o022);
  place = await mkdtemp(path.join(tmpdir(), 'portcullis-data-dir-'));
});

afterEach(async () => {
  process.umask(umask);
  await rm(place, { recursive: true, force: true });
});

const modeOf = async (...names: string[]) => (await stat(path.join(place, ...names))).mode & 0o777;

describe('G2: DATA_DIR', () => {
  it('is created for our account alone, and so is everything written afterwards', async () => {
    const dataDir = path.join(place, 'above', 'data');
    expect(await openDataDir(dataDir)).toEqual([]);
    await mkdir(path.join(dataDir, 'cache', 'blobs'), { recursive: true });
    await writeFile(path.join(dataDir, 'cache', 'blob'), '');
    expect(await modeOf('above', 'data')).toBe(0o700);
    expect(await modeOf('above', 'data', 'cache', 'blobs')).toBe(0o700);
    expect(await modeOf('above', 'data', 'cache', 'blob')).toBe(0o600);
  });

  it('leaves the modes of its parent directories to the operator’s umask', async () => {
    await openDataDir(path.join(place, 'above', 'data'));
    expect(await modeOf('above')).toBe(0o755);
  });

  it('that is open is corrected, with its entries', async () => {
    await mkdir(path.join(place, 'cache', 'blobs'), { recursive: true });
    await writeFile(path.join(place, 'secret.key'), '');
    await writeFile(path.join(place, 'tool'), '', { mode: 0o755 });
    await chmod(place, 0o755);
    expect(await openDataDir(place)).toEqual([]);
    expect(await modeOf()).toBe(0o700);
    expect(await modeOf('cache')).toBe(0o700);
    expect(await modeOf('secret.key')).toBe(0o600);
    expect(await modeOf('tool')).toBe(0o700);
  });

  it('that is a link is corrected at its target; a link in it belongs to the operator', async () => {
    await mkdir(path.join(place, 'disk'), { mode: 0o755 });
    await mkdir(path.join(place, 'other'), { mode: 0o755 });
    await symlink(path.join(place, 'disk'), path.join(place, 'data'));
    await symlink(path.join(place, 'other'), path.join(place, 'disk', 'cache'));
    await openDataDir(path.join(place, 'data'));
    expect(await modeOf('disk')).toBe(0o700);
    expect(await modeOf('other')).toBe(0o755);
  });

  it('of another account is reported, however closed it is: its owner may replace its content', async () => {
    const isRoot = process.getuid?.() === 0; // only root can give a directory to another account
    if (isRoot) await chown(place, 12_345, 12_345);
    expect(await openDataDir(place)).toEqual(isRoot ? [place] : []);
  });
});

describe('F10: a DATA_DIR that cannot be created is reported in one sentence with the remedy', () => {
  it.each([
    ['its parent is a file', () => path.join(place, 'file', 'data')],
    ['it is a file itself', () => path.join(place, 'file')],
    ['the file system takes no directories', () => '/proc/data'],
    ['it is a link to nothing', () => path.join(place, 'dangling')],
  ])('%s', async (_, dataDir) => {
    await writeFile(path.join(place, 'file'), '');
    await symlink(path.join(place, 'nothing'), path.join(place, 'dangling'));
    await expect(openDataDir(dataDir())).rejects.toMatchObject({
      code: 'DATA_DIR_UNUSABLE',
      message: expect.stringMatching(/^DATA_DIR \/\S+ can't be used: [^\n]+; set DATA_DIR to /),
    });
    expect((await readdir(place)).sort()).toEqual(['dangling', 'file']);
  });
});
