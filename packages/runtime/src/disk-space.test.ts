import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  diskSpace,
  isShort,
  lacksSpace,
  measureDisks,
  parseReserve,
  reserveOf,
  type Space,
} from './disk-space.ts';
import { createMetrics } from './metrics.ts';

const GIB = 1024 ** 3;

describe('DISK_RESERVE', () => {
  it.each([
    ['10GiB', { bytes: 10 * GIB }],
    ['1.5 GiB', { bytes: 1.5 * GIB }],
    ['500mb', { bytes: 500e6 }],
    ['4096', { bytes: 4096 }],
    ['0', { bytes: 0 }],
    ['5%', { percent: 5 }],
    ['101%', undefined],
    ['-1', undefined],
    ['5 potatoes', undefined],
    ['', undefined],
  ])('%j is %j', (text, expected) => expect(parseReserve(text)).toEqual(expected));

  it('is by default the larger of 1 GiB and 5 %', () => {
    expect(reserveOf(10 * GIB, null)).toBe(GIB);
    expect(reserveOf(100 * GIB, null)).toBe(5 * GIB);
  });

  it('is at most the whole disk where it is a percentage', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(100), (total, percent) => {
        expect(reserveOf(total, { percent })).toBeLessThanOrEqual(total);
      }),
    );
  });
});

it('F6: reports free space, reserve and required space', () => {
  const space = { total: 300e6, free: 2 * 1024 ** 2, reserve: GIB };
  expect(isShort(space)).toBe(true);
  expect(lacksSpace(space, 4 * 1024 ** 2)).toMatchObject({
    kind: 'unavailable',
    code: 'DISK_RESERVE',
    message:
      '4.0 MiB more are wanted, 2.0 MiB are free on the disk for images, and 1.0 GiB stay free (DISK_RESERVE)',
  });
});

it('permanently refuses more than even the empty disk has', () => {
  const space = { total: 10 * GIB, free: 9 * GIB, reserve: GIB };
  expect(lacksSpace(space, 9 * GIB)).toMatchObject({ code: 'DISK_RESERVE' });
  expect(lacksSpace(space, 9 * GIB + 1)).toMatchObject({
    kind: 'too_large',
    code: 'DISK_TOO_SMALL',
    message:
      '9.0 GiB are wanted, and the disk for images has 10.0 GiB, of which 1.0 GiB stay free (DISK_RESERVE)',
  });
});

it('measures the disk of a directory', async () => {
  const { total, free, reserve } = await diskSpace(tmpdir(), { bytes: 7 }).look();
  expect(free).toBeLessThanOrEqual(total);
  expect(reserve).toBe(7);
});

it('measures the disk that is nearest to its reserve, and what each has left', async () => {
  const metrics = createMetrics({ defaults: false });
  const disks = {
    data: async () => ({ total: 100, free: 60, reserve: 10 }),
    registry: async (): Promise<Space | null> => ({ total: 100, free: 4, reserve: 5 }),
  };
  measureDisks(metrics, {
    data: () => disks.data(),
    registry: () => disks.registry(),
  });
  expect(await metrics.render()).toContain('portcullis_disk_free_bytes 4\n');
  expect(await metrics.render()).toContain('portcullis_disk_reserve_bytes 5\n');
  expect(await metrics.render()).toContain('portcullis_disk_left_bytes{disk="registry"} -1\n');
  disks.registry = async () => null;
  const text = await metrics.render();
  expect(text).toContain('portcullis_disk_free_bytes 60\n');
  expect(text).not.toContain('disk="registry"');
});
