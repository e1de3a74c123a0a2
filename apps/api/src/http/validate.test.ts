import { contract, type FieldFault, type Operation } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { validate } from './validate.ts';

/** The faults of a body after the parser. */
async function faultsOf(body: unknown, operation: Operation = contract.auth.login) {
  const request = { params: { name: 'prod' }, query: {}, body } as unknown as Request;
  const fault = await validate(operation, request).catch((error: unknown) => error);
  return isAppError(fault) ? (fault.detail?.errors as FieldFault[]) : [];
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
  it('is named by its path where it holds what is not text', async () => {
    expect(await faultsOf({ username: [{ a: 'x\0' }], password: '\ud800' })).toMatchObject([
      { path: 'username.0.a', code: 'NOT_TEXT' },
      { path: 'password', code: 'NOT_TEXT' },
    ]);
  });

  it('that is nested deeper than anything we take is refused, and costs no stack', async () => {
    expect(await faultsOf(nested(100_000, '1'))).toMatchObject([{ code: 'TOO_DEEP' }]);
  });

  it('that is wide and deep is read once', async () => {
    const { body, reads } = counted(nested(30, Array(1_000).fill('"x"').join()));
    expect(await faultsOf(body)).toHaveLength(1);
    expect(reads()).toBe(29 + 1_000);
  });

  it('that is deeper than anything we take is not read further', async () => {
    const { body, reads } = counted(nested(1_000, Array(1_000).fill('"x"').join()));
    expect(await faultsOf(body)).toHaveLength(1);
    expect(reads()).toBeLessThan(50);
  });

  it('with many faults gets the first hundred', async () => {
    const strangers = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
    expect(await faultsOf({ username: 'u', password: 'p', ...strangers })).toHaveLength(100);
    expect(await faultsOf({ username: Array(5_000).fill('\0') })).toHaveLength(100);
  });
});

describe('the list of a large body', () => {
  const report = contract.clusters.reportRunningImages;
  const image = { namespace: 'shop', repository: 'a/b', digest: `sha256:${'0'.repeat(64)}` };
  const images = Array.from({ length: 20_000 }, () => image);

  it('is checked while the process serves others', async () => {
    let served = 0;
    const serve = () => {
      served += 1;
      timer = setImmediate(serve);
    };
    let timer = setImmediate(serve);
    expect(await faultsOf({ images }, report)).toEqual([]);
    clearImmediate(timer);
    expect(served).toBeGreaterThan(1);
  });

  it.each([
    ['has an element that is wrong', [image, { ...image, digest: 'x' }], 'images.1.digest'],
    ['has an element that is none', [null], 'images.0'],
    ['is too long', [...images, image], 'images'],
    ['is none', 'all', 'images'],
    ['is not there', undefined, 'images'],
  ])('is refused by its path where it %s', async (_, given, path) => {
    expect(await faultsOf({ images: given }, report)).toMatchObject([{ path }]);
  });

  it('is refused with what stands beside it, and with the first hundred of its faults', async () => {
    expect(await faultsOf({ images, more: 1 }, report)).toMatchObject([{ path: 'more' }]);
    expect(await faultsOf({ images: images.map(() => 1) }, report)).toHaveLength(100);
    expect(await faultsOf(undefined, report)).not.toEqual([]);
  });
});
