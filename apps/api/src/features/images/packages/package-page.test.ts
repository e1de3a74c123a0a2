import { PACKAGE_ORDERS, type PackageOrder } from '@portcullis/domain';
import type { ListedPackage } from '@portcullis/scanner';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packagePage } from './package-page.ts';

const listed = (name: string, version = '1', path: string | null = null): ListedPackage => ({
  type: 'npm',
  name,
  version,
  licenses: [],
  path,
  layer: 'sha256:0',
});

const ALL = { q: undefined, layer: undefined, layers: [], limit: 1, cursor: undefined };
const LAYERS = ['sha256:9', 'sha256:0', 'sha256:5'];

async function allPages(
  packages: readonly ListedPackage[],
  limit: number,
  { q, sort = 'name' }: { q?: string; sort?: PackageOrder } = {},
): Promise<ListedPackage[]> {
  const found: ListedPackage[] = [];
  let cursor: string | undefined;
  do {
    const page = await packagePage(packages, { ...ALL, q, sort, layers: LAYERS, limit, cursor });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

it.each(PACKAGE_ORDERS)('the pages by %s have each package once, in one order', async (sort) => {
  // Packages of two layers may differ in nothing that an order compares.
  const some = fc.array(
    fc.record({
      name: fc.constantFrom('a', 'A', 'b', 'é', 'z'),
      version: fc.constantFrom('1', '2'),
      path: fc.constantFrom(null, 'app/a', 'app/b'),
      licenses: fc.subarray(['Apache-2.0', 'MIT']),
      layer: fc.constantFrom('sha256:0', 'sha256:9', 'unknown'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 1, max: 4 }), async (parts, limit) => {
      const packages = parts.map((each) => ({ ...listed(each.name), ...each }));
      const paged = await allPages(packages, limit, { sort });
      expect(paged).toEqual(await allPages(packages, 200, { sort }));
      expect(new Set(paged).size).toBe(packages.length);
    }),
  );
});

it.each<[PackageOrder, string[]]>([
  ['-name', ['zlib', 'OpenSSL', 'curl', 'bash']],
  ['licenses', ['zlib', 'bash', 'OpenSSL', 'curl']],
  ['-licenses', ['bash', 'OpenSSL', 'zlib', 'curl']],
  ['layer', ['OpenSSL', 'bash', 'curl', 'zlib']],
  ['-layer', ['curl', 'bash', 'OpenSSL', 'zlib']],
])('the order %s, equal ones by name, and what has no value last', async (sort, names) => {
  const packages = [
    { ...listed('zlib'), licenses: ['Apache-2.0'], layer: 'unknown' },
    { ...listed('OpenSSL'), licenses: ['MIT'], layer: 'sha256:9' },
    { ...listed('curl'), layer: 'sha256:5' },
    { ...listed('bash'), licenses: ['MIT'], layer: 'sha256:0' },
  ];
  const found = await allPages(packages, 1, { sort });
  expect(found.map(({ name }) => name)).toEqual(names);
});

it('a package with the whole text of its licence can end a page', async () => {
  const packages = ['a', 'b', 'c'].map((name) => ({
    ...listed(name),
    licenses: ['Permission is hereby granted. '.repeat(100)],
  }));
  expect(await allPages(packages, 1, { sort: 'licenses' })).toEqual(packages);
  const { nextCursor } = await packagePage(packages, { ...ALL, sort: 'licenses' });
  expect(nextCursor?.length).toBeLessThan(100);
});

it('a page goes on after its package, also where the list has become another', async () => {
  const packages = ['a', 'b', 'c', 'd'].map((name) => listed(name));
  const { nextCursor } = await packagePage(packages, { ...ALL, sort: 'name', limit: 2 });
  const fewer = packages.slice(1);
  const rest = await packagePage(fewer, {
    ...ALL,
    sort: 'name',
    limit: 2,
    cursor: nextCursor ?? '',
  });
  expect(rest.items.map(({ name }) => name)).toEqual(['c', 'd']);
});

it('a cursor of one order is none of another', async () => {
  const { nextCursor } = await packagePage([listed('a'), listed('b')], { ...ALL, sort: 'name' });
  const cursor = nextCursor ?? '';
  await expect(packagePage([listed('a')], { ...ALL, sort: 'layer', cursor })).rejects.toThrow(
    expect.objectContaining({ code: 'CURSOR_INVALID' }),
  );
});

it('names are sorted and searched in upper or lower case, and the total is of what matches', async () => {
  const packages = ['zlib', 'OpenSSL', 'libssl3', 'bash'].map((name) => listed(name));
  const names = (await allPages(packages, 10)).map(({ name }) => name);
  expect(names).toEqual(['bash', 'libssl3', 'OpenSSL', 'zlib']);
  expect((await allPages(packages, 1, { q: 'SSL' })).map(({ name }) => name)).toEqual([
    'libssl3',
    'OpenSSL',
  ]);
  expect((await packagePage(packages, { ...ALL, sort: 'name', q: 'ssl' })).total).toBe(2);
});

it('the packages of one layer are listed and searched alone', async () => {
  const packages = [
    { ...listed('zlib'), layer: 'sha256:1' },
    { ...listed('bash'), layer: 'sha256:1' },
    listed('bash', '2'),
  ];
  const of = async (layer: string, q?: string) => {
    const { items } = await packagePage(packages, { ...ALL, sort: 'name', q, layer, limit: 10 });
    return items.map(({ name }) => name);
  };
  expect(await of('sha256:1')).toEqual(['bash', 'zlib']);
  expect(await of('sha256:1', 'LIB')).toEqual(['zlib']);
  expect(await of('sha256:2')).toEqual([]);
});

it.each([
  'x',
  '',
  Buffer.from('[1]').toString('base64url'),
  Buffer.from('{}').toString('base64url'),
  Buffer.from('[-1,"x"]').toString('base64url'),
  Buffer.from('[1000000000,"x"]').toString('base64url'),
])('a cursor that no list gave is refused: %j', async (cursor) => {
  const page = packagePage([listed('a')], { ...ALL, sort: 'name', cursor });
  await expect(page).rejects.toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }));
});

it('others are served while a long list is sorted and searched for a cursor', async () => {
  const packages = Array.from({ length: 50_000 }, (_, at) => listed(`n${(at * 7919) % 50_000}`));
  const cursor = Buffer.from(JSON.stringify([7, 'none'])).toString('base64url');
  let turns = 0;
  let isDone = false;
  const serve = () => {
    turns += 1;
    if (!isDone) setImmediate(serve);
  };
  setImmediate(serve);
  await expect(packagePage(packages, { ...ALL, sort: 'name', cursor })).rejects.toThrow();
  isDone = true;
  expect(turns).toBeGreaterThan(5);
});
