import { access } from 'node:fs/promises';
import path from 'node:path';
import { notFound, unavailable } from '@portcullis/errors';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { assertWritable, diskProbe } from './disk-probe.ts';

const DATA_DIR = '/data';
const UNWRITABLE = { kind: 'unavailable', code: 'DISK_UNWRITABLE' };

function systemError(code: string, file = path.join(DATA_DIR, 'cache/blobs/a')) {
  return Object.assign(new Error(`${code}: it failed`), { code, syscall: 'open', path: file });
}

/** As the blob cache and layouts report it. */
const ofLayout = (cause: Error) => unavailable('STORAGE_FAILED', 'it failed', { cause });

/** A probe of a disk on which writing fails with `disk.errno`. */
function probed() {
  const disk = { errno: null as string | null, now: 0, writes: 0 };
  const probe = diskProbe({
    dataDir: DATA_DIR,
    now: () => disk.now,
    async write(file) {
      disk.writes += 1;
      if (disk.errno !== null) throw systemError(disk.errno, file);
    },
  });
  return { disk, probe };
}

describe('N6: the disk of a worker', () => {
  it('is probed by writing a file', async () => {
    await using dir = await temporaryDir();
    const probe = diskProbe({ dataDir: dir.path, now: () => 0 });
    expect(await probe.fault()).toBeNull();
    await access(path.join(dir.path, 'write-probe'));
    const gone = diskProbe({ dataDir: path.join(dir.path, 'unmounted'), now: () => 0 });
    expect(await gone.fault()).toMatchObject({ code: 'DISK_UNWRITABLE' });
  });

  it.each(['EROFS', 'EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'ESTALE'])(
    'that fails with %s takes no work, until it can be written to again',
    async (errno) => {
      const { disk, probe } = probed();
      await assertWritable(probe);
      Object.assign(disk, { errno, now: 1_000 });
      await expect(assertWritable(probe)).rejects.toMatchObject(UNWRITABLE);
      expect(probe.last()?.message).toContain(errno);
      Object.assign(disk, { errno: null, now: 2_000 });
      await assertWritable(probe);
      expect(probe.last()).toBeNull();
    },
  );

  it('is written to at most twice a second', async () => {
    const { disk, probe } = probed();
    for (const now of [0, 100, 499, 500]) {
      disk.now = now;
      await probe.fault();
    }
    expect(disk.writes).toBe(2);
  });
});

describe('N6: work that fails', () => {
  const failing = (error: unknown) => () => Promise.reject(error);

  it.each([
    ['a missing directory, which recursive mkdir reports', systemError('ENOENT')],
    ['a scan that ended with an error', unavailable('SCAN_FAILED', 'trivy said so')],
    ['a fault without a code', new Error('it broke')],
    ['a blob that the source does not have', notFound('BLOB_UNKNOWN', 'gone')],
    ['a failed write of a layout', ofLayout(systemError('EROFS'))],
  ])('on a disk without writes is put off: %s', async (_, error) => {
    const { disk, probe } = probed();
    disk.errno = 'EROFS';
    await expect(probe.blaming(failing(error))).rejects.toMatchObject({
      ...UNWRITABLE,
      cause: error,
    });
  });

  it('is put off if the disk was broken while it ran', async () => {
    const { disk, probe } = probed();
    const error = unavailable('SCAN_FAILED', 'trivy said so');
    const work = async () => {
      Object.assign(disk, { errno: 'EIO', now: 1_000 });
      await probe.fault();
      Object.assign(disk, { errno: null, now: 2_000 });
      throw error;
    };
    await expect(probe.blaming(work)).rejects.toMatchObject(UNWRITABLE);
    disk.now = 3_000;
    await expect(probe.blaming(failing(error))).rejects.toBe(error);
  });

  it('is put off if its result says that it failed', async () => {
    const { disk, probe } = probed();
    const work = () =>
      probe.blaming(
        async () => 'failed',
        (result) => result === 'failed',
      );
    expect(await work()).toBe('failed');
    Object.assign(disk, { errno: 'EROFS', now: 1_000 });
    await expect(work()).rejects.toMatchObject(UNWRITABLE);
  });

  it.each(['EROFS', 'EIO', 'ENODEV', 'ESTALE', 'EUCLEAN'])(
    'with %s in DATA_DIR is put off although the probe can be written',
    async (errno) => {
      const { probe } = probed();
      await expect(probe.blaming(failing(systemError(errno)))).rejects.toMatchObject(UNWRITABLE);
      const wrapped = ofLayout(systemError(errno));
      await expect(probe.blaming(failing(wrapped))).rejects.toMatchObject(UNWRITABLE);
    },
  );

  it.each([
    ['a file outside of DATA_DIR', systemError('EIO', '/database/blobs/a')],
    ['another code', systemError('ENOENT')],
    ['space, which has its own fault', unavailable('DISK_RESERVE', 'too little')],
  ])('for another reason fails with that: %s', async (_, error) => {
    const { probe } = probed();
    await expect(probe.blaming(failing(error))).rejects.toBe(error);
  });
});
