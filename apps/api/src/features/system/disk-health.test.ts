import { describe, expect, it } from 'vitest';
import { assertDisks, type DiskFacts } from './disk-health.ts';

const ROOMY = { total: 100, free: 50, reserve: 10 };
const FULL = { total: 100, free: 9, reserve: 10 };
const FAULT = { code: 'DISK_UNWRITABLE', message: 'the worker cannot write (EROFS)' };
const REGISTRY = 'REGISTRY_DISK_RESERVE';
const WELL: DiskFacts = { data: ROOMY, registry: ROOMY, fault: null };

describe('the disks', () => {
  it.each<[string, Partial<DiskFacts>]>([
    ['are well', {}],
    ['are well where none is known', { data: null, registry: null }],
  ])('%s', (_, facts) => {
    expect(assertDisks({ ...WELL, ...facts })).toBeNull();
  });

  it.each<[string, Partial<DiskFacts>, string]>([
    ['less than the reserve is free on that of DATA_DIR', { data: FULL }, 'DISK_RESERVE'],
    ['less than the reserve is free on that of the registry', { registry: FULL }, REGISTRY],
    ['a worker cannot write', { fault: FAULT }, 'DISK_UNWRITABLE'],
    ['a full one cannot be written to', { data: FULL, fault: FAULT }, 'DISK_RESERVE'],
  ])('are not well while %s', (_, facts, code) => {
    expect(() => assertDisks({ ...WELL, ...facts })).toThrow(expect.objectContaining({ code }));
  });
});
