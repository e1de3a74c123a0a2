/** Free disk space, and the reserve that work leaves free: the database writes to the same disk. */
import { statfs } from 'node:fs/promises';
import { type AppError, tooLarge, unavailable } from '@portcullis/errors';
import type { Metrics } from './metrics.ts';

/** The value of `DISK_RESERVE`; null: the larger of 1 GiB and 5 %. */
export type DiskReserve = { bytes: number } | { percent: number } | null;

export interface Space {
  total: number;
  free: number;
  /** Work waits while less than this is free. */
  reserve: number;
}

export interface DiskSpace {
  /** At most half a second old; with `fresh` of this moment. */
  look(options?: { fresh?: boolean }): Promise<Space>;
}

const UNITS: Record<string, number> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};
const DEFAULT_PERCENT = 5;
const DEFAULT_BYTES = 1024 ** 3;
const REMEMBERED_MS = 500;

/** `10GiB`, `500 MB`, `5%`, or bytes; undefined for anything else. */
export function parseReserve(text: string): DiskReserve | undefined {
  const [, number = '', unit = ''] =
    /^(\d{1,15}(?:\.\d{1,6})?)\s*(%|[a-z]*)$/i.exec(text.trim()) ?? [];
  if (number === '') return undefined;
  if (unit === '%') return Number(number) <= 100 ? { percent: Number(number) } : undefined;
  const factor = UNITS[unit.toUpperCase()];
  return factor === undefined ? undefined : { bytes: Math.round(Number(number) * factor) };
}

export function reserveOf(total: number, reserve: DiskReserve): number {
  if (reserve === null) return Math.max(DEFAULT_BYTES, percentOf(total, DEFAULT_PERCENT));
  return 'bytes' in reserve ? reserve.bytes : percentOf(total, reserve.percent);
}

function percentOf(total: number, percent: number): number {
  return Math.floor((total * percent) / 100);
}

export function isShort({ free, reserve }: Space): boolean {
  return free < reserve;
}

/**
 * Seconds until the next check: space is freed by people, and by the hourly removal of unused
 * blobs.
 */
const LOOK_AGAIN_SECONDS = 60;

/**
 * @param needed bytes that are needed in addition. @returns unavailable `DISK_RESERVE`; too_large
 * `DISK_TOO_SMALL` where even the empty disk is too small
 */
export function lacksSpace(
  { total, free, reserve }: Space,
  needed = 0,
  retryAfter = LOOK_AGAIN_SECONDS,
): AppError {
  if (total > reserve && needed > total - reserve) {
    const message = `${inWords(needed)} are wanted, and the disk for images has ${inWords(total)}, of which ${inWords(reserve)} stay free (DISK_RESERVE)`;
    return tooLarge('DISK_TOO_SMALL', message, { detail: { total, reserve, needed } });
  }
  const wanted = needed > 0 ? `${inWords(needed)} more are wanted, ` : '';
  const message = `${wanted}${inWords(free)} are free on the disk for images, and ${inWords(reserve)} stay free (DISK_RESERVE)`;
  return unavailable('DISK_RESERVE', message, {
    retryAfter,
    detail: { free, reserve, needed },
  });
}

function inWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)),
  );
  const value = bytes / 1024 ** power;
  return `${power === 0 ? bytes : value.toFixed(1)} ${units[power]}`;
}

export function diskSpace(dir: string, reserve: DiskReserve): DiskSpace {
  let known: { at: number; space: Promise<Space> } | undefined;
  return {
    look({ fresh = false } = {}) {
      const now = performance.now();
      if (!known || fresh || now - known.at >= REMEMBERED_MS) {
        const space = spaceOf(dir, reserve);
        known = { at: now, space };
        space.catch(() => {
          known = undefined;
        });
      }
      return known.space;
    },
  };
}

async function spaceOf(dir: string, reserve: DiskReserve): Promise<Space> {
  const { bsize, blocks, bavail } = await statfs(dir);
  const total = bsize * blocks;
  return { total, free: bsize * bavail, reserve: reserveOf(total, reserve) };
}

/** `data`: of a DATA_DIR. `registry`: of the storage of the built-in registry. */
const DISKS = ['data', 'registry'] as const;
type DiskName = (typeof DISKS)[number];

/** Null where a disk is not known to this process. */
export type DiskLooks = Record<DiskName, () => Promise<Space | null>>;

/**
 * One pair of figures of the disk that is nearest to its reserve, or furthest below it, and by disk
 * what is left above the reserve.
 */
export function measureDisks(metrics: Pick<Metrics, 'gauge'>, looks: DiskLooks): void {
  async function spaces(): Promise<{ disk: DiskName; space: Space }[]> {
    const all = await Promise.all(
      // A disk that cannot be measured leaves the other's figures as they are.
      DISKS.map(async (disk) => ({ disk, space: await looks[disk]().catch(() => null) })),
    );
    return all.flatMap(({ disk, space }) => (space === null ? [] : [{ disk, space }]));
  }
  const ofTightest = (which: 'free' | 'reserve') => async () => {
    const [first] = (await spaces()).toSorted((a, b) => left(a.space) - left(b.space));
    return first === undefined ? [] : [{ labels: {}, value: first.space[which] }];
  };
  metrics.gauge('disk_free_bytes', 'Free bytes of the disk that is nearest to its reserve', {
    labels: [],
    read: ofTightest('free'),
  });
  metrics.gauge('disk_reserve_bytes', 'Bytes of that disk that work leaves free', {
    labels: [],
    read: ofTightest('reserve'),
  });
  metrics.gauge('disk_left_bytes', 'Free bytes above the reserve; below 0, work waits', {
    labels: ['disk'],
    read: async () =>
      (await spaces()).map(({ disk, space }) => ({ labels: { disk }, value: left(space) })),
  });
}

function left({ free, reserve }: Space): number {
  return free - reserve;
}
