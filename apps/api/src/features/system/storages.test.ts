import type { Storage, StorageScanner } from '@portcullis/store';
import { describe, expect, it } from 'vitest';
import { bestScanner, diskFault, fullestDisk, storageReader } from './storages.ts';

const SCANNER: StorageScanner = {
  binary: 'ready',
  version: '1',
  message: '',
  available: false,
  database: null,
  databaseFailure: null,
  javaDownload: null,
};

function withDatabase(updatedAt: string): StorageScanner {
  const database = {
    updatedAt,
    nextUpdate: updatedAt,
    source: null,
    javaUpdatedAt: null,
    javaDownloadedAt: null,
  };
  return { ...SCANNER, available: true, database };
}

const DISK = { total: 100, free: 50, reserve: 10 };

interface Told {
  isAlive?: boolean;
  free?: number;
  registryFree?: number;
  fault?: string;
  scanner?: StorageScanner;
}

function storages(...all: Told[]): Storage[] {
  return all.map(({ isAlive = true, free = 50, registryFree, fault, scanner = SCANNER }, n) => ({
    id: String(n),
    isAlive,
    seenAt: new Date(),
    state: {
      disk: { total: 100, free, reserve: 10 },
      registryDisk: registryFree === undefined ? null : { ...DISK, free: registryFree },
      fault: fault === undefined ? null : { code: 'DISK_UNWRITABLE', message: fault },
      scanner,
    },
  }));
}

describe('the disk that is shown', () => {
  it.each<[string, Storage[], number | null]>([
    ['is none if no worker has reported one', [], null],
    ['is the fullest of those in use', storages({ free: 40 }, { free: 5 }, { free: 60 }), 5],
    [
      'is not one that no worker has any more',
      storages({ free: 40 }, { free: 5, isAlive: false }),
      40,
    ],
    [
      'is the last one in use where no worker lives',
      storages({ free: 40, isAlive: false }, { free: 5, isAlive: false }),
      40,
    ],
  ])('%s', (_, all, expected) => {
    expect(fullestDisk(all, ({ disk }) => disk)?.free ?? null).toBe(expected);
  });
});

describe("the disk of the registry's storage", () => {
  const all = storages({}, { registryFree: 7 }, { registryFree: 3, isAlive: false });

  it('is measured by the api where it has it', async () => {
    const reader = storageReader(
      { list: async () => all },
      { warn() {} },
      { look: async () => DISK },
    );
    expect(await reader.disks.registry()).toEqual(DISK);
  });

  it('is otherwise the one that a live worker reports', async () => {
    const reader = storageReader({ list: async () => all }, { warn() {} }, null);
    expect((await reader.disks.registry())?.free).toBe(7);
    expect((await reader.disks.data())?.free).toBe(50);
  });

  it('is none where no process has it', async () => {
    const reader = storageReader({ list: async () => storages({}) }, { warn() {} }, null);
    expect(await reader.disks.registry()).toBeNull();
  });
});

it('the fault of a disk is shown while a worker lives that has it', () => {
  expect(diskFault(storages({}, { fault: 'EROFS' }))?.message).toBe('EROFS');
  expect(diskFault(storages({}, { fault: 'EROFS', isAlive: false }))).toBeNull();
  expect(diskFault([])).toBeNull();
});

describe('the scanner that is shown', () => {
  it('is one that can scan, with the newest database', () => {
    const [old, fresh] = [
      withDatabase('2026-01-01T00:00:00Z'),
      withDatabase('2026-01-02T00:00:00Z'),
    ];
    expect(bestScanner(storages({}, { scanner: old }, { scanner: fresh }))).toEqual(fresh);
    expect(bestScanner(storages({ scanner: old }, { scanner: fresh, isAlive: false }))).toEqual(
      old,
    );
  });

  it('is being set up if one of them is', () => {
    const missing = { ...SCANNER, binary: 'unavailable' as const };
    expect(bestScanner(storages({ scanner: missing }, {}))).toEqual(SCANNER);
    expect(bestScanner([])).toMatchObject({ binary: 'unavailable', available: false });
  });
});
