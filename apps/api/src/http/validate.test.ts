import { contract, type FieldFault } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { validate } from './validate.ts';

/** The faults of a body after the parser. */
function faultsOf(body: unknown): FieldFault[] {
  try {
    validate(contract.auth.login, { params: {}, query: {}, body } as Request);
    return [];
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.detail?.errors as FieldFault[];
  }
}

const nested = (depth: number, inner: string) =>
  JSON.parse(`{"username":${'['.repeat(depth)}${inner}${']'.repeat(depth)},"password":"x"}`);

/** Counts how often an item of an array in it is read. */
function counted(body: unknown) {
  let count = 0;
  const counting = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, counting(item)]));
    return new Proxy(value, {
      get(target, key) {
        const isItem = typeof key === 'string' && /^\d+$/.test(key);
        if (isItem) count += 1;
        const item: unknown = Reflect.get(target, key);
        return isItem ? counting(item) : item;
      },
    });
  };
  return { body: counting(body), reads: () => count };
}

describe('an untrusted body', () => {
  it('is named by its path where it holds what is not text', () => {
    expect(faultsOf({ username: [{ a: 'x\0' }], password: '\ud800' })).toMatchObject([
      { path: 'username.0.a', code: 'NOT_TEXT' },
      { path: 'password', code: 'NOT_TEXT' },
    ]);
  });

  it('that is nested deeper than anything we take is refused, and costs no stack', () => {
    expect(faultsOf(nested(100_000, '1'))).toMatchObject([{ code: 'TOO_DEEP' }]);
  });

  it('that is wide and deep is read once', () => {
    const { body, reads } = counted(nested(30, Array(1_000).fill('"x"').join()));
    expect(faultsOf(body)).toHaveLength(1);
    expect(reads()).toBe(29 + 1_000);
  });

  it('that is deeper than anything we take is not read further', () => {
    const { body, reads } = counted(nested(1_000, Array(1_000).fill('"x"').join()));
    expect(faultsOf(body)).toHaveLength(1);
    expect(reads()).toBeLessThan(50);
  });

  it('with many faults gets the first hundred', () => {
    const strangers = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
    expect(faultsOf({ username: 'u', password: 'p', ...strangers })).toHaveLength(100);
    expect(faultsOf({ username: Array(5_000).fill('\0') })).toHaveLength(100);
  });
});
