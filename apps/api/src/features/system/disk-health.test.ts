import { describe, expect, it } from 'vitest';
import { assessDisks, type DiskFacts } from './disk-health.ts';

const ROOMY = { total: 100, free: 50, reserve: 10 };
const FULL = { total: 100, free: 9, reserve: 10 };
const FAULT = { code: 'DISK_UNWRITABLE', message: 'the worker cannot write (EROFS)' };
const REGISTRY = 'REGISTRY_DISK_RESERVE';
const WELL: DiskFacts = {
  data: ROOMY,
  registry: ROOMY,
  fault: null,
  waiting: { count: 0, oldestMs: 0 },
};
const waiting = (minutes: number) => ({ count: 27, oldestMs: minutes * 60_000 });

describe('the disks', () => {
  it.each<[string, Partial<DiskFacts>]>([
    ['are well', {}],
    ['are well where none is known', { data: null, registry: null }],
  ])('%s', (_, facts) => {
    expect(assessDisks({ ...WELL, ...facts })).toBeNull();
  });

  it.each<[string, Partial<DiskFacts>, string]>([
    ['less than the reserve is free on that of DATA_DIR', { data: FULL }, 'DISK_RESERVE'],
    ['less than the reserve is free on that of the registry', { registry: FULL }, REGISTRY],
    ['a worker cannot write', { fault: FAULT }, 'DISK_UNWRITABLE'],
    ['a full one cannot be written to', { data: FULL, fault: FAULT }, 'DISK_RESERVE'],
    ['jobs wait for long', { waiting: waiting(5) }, 'JOBS_WAIT_FOR_DISK'],
  ])('are not well while %s', (_, facts, code) => {
    expect(() => assessDisks({ ...WELL, ...facts })).toThrow(expect.objectContaining({ code }));
  });

  it('are well while jobs have waited briefly, which is said', () => {
    expect(assessDisks({ ...WELL, waiting: waiting(4) })).toEqual({
      code: 'JOBS_WAIT_FOR_DISK',
      message: '27 jobs wait for a disk, the first of them for 4 minutes',
    });
  });

  it('are all named', () => {
    const facts = { ...WELL, data: FULL, registry: FULL, waiting: waiting(12) };
    expect(() => assessDisks(facts)).toThrow(
      /on the disk of DATA_DIR.*; .*of the built-in registry.*; 27 jobs wait .* for 12 minutes$/,
    );
  });
});
