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

function allPages(
  packages: readonly ListedPackage[],
  limit: number,
  { q, sort = 'name' }: { q?: string; sort?: PackageOrder } = {},
): ListedPackage[] {
  const found: ListedPackage[] = [];
  let cursor: string | undefined;
  do {
    const page = packagePage(packages, { ...ALL, q, sort, layers: LAYERS, limit, cursor });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

it.each(PACKAGE_ORDERS)('the pages by %s have each package once, in one order', (sort) => {
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
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 4 }), (parts, limit) => {
      const packages = parts.map((each) => ({ ...listed(each.name), ...each }));
      const paged = allPages(packages, limit, { sort });
      expect(paged).toEqual(allPages(packages, 200, { sort }));
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
])('the order %s, equal ones by name, and what has no value last', (sort, names) => {
  const packages = [
    { ...listed('zlib'), licenses: ['Apache-2.0'], layer: 'unknown' },
    { ...listed('OpenSSL'), licenses: ['MIT'], layer: 'sha256:9' },
    { ...listed('curl'), layer: 'sha256:5' },
    { ...listed('bash'), licenses: ['MIT'], layer: 'sha256:0' },
  ];
  expect(allPages(packages, 1, { sort }).map(({ name }) => name)).toEqual(names);
});

it('a package with the whole text of its licence can end a page', () => {
  const packages = ['a', 'b', 'c'].map((name) => ({
    ...listed(name),
    licenses: ['Permission is hereby granted. '.repeat(100)],
  }));
  expect(allPages(packages, 1, { sort: 'licenses' })).toEqual(packages);
  const { nextCursor } = packagePage(packages, { ...ALL, sort: 'licenses' });
  expect(nextCursor?.length).toBeLessThan(100);
});

it('a page goes on after its package, also where the list has become another', () => {
  const packages = ['a', 'b', 'c', 'd'].map((name) => listed(name));
  const { nextCursor } = packagePage(packages, { ...ALL, sort: 'name', limit: 2 });
  const fewer = packages.slice(1);
  const rest = packagePage(fewer, { ...ALL, sort: 'name', limit: 2, cursor: nextCursor ?? '' });
  expect(rest.items.map(({ name }) => name)).toEqual(['c', 'd']);
});

it('a cursor of one order is none of another', () => {
  const { nextCursor } = packagePage([listed('a'), listed('b')], { ...ALL, sort: 'name' });
  const cursor = nextCursor ?? '';
  expect(() => packagePage([listed('a')], { ...ALL, sort: 'layer', cursor })).toThrow(
    expect.objectContaining({ code: 'CURSOR_INVALID' }),
  );
});

it('names are sorted and searched in upper or lower case, and the total is of what matches', () => {
  const packages = ['zlib', 'OpenSSL', 'libssl3', 'bash'].map((name) => listed(name));
  const names = allPages(packages, 10).map(({ name }) => name);
  expect(names).toEqual(['bash', 'libssl3', 'OpenSSL', 'zlib']);
  expect(allPages(packages, 1, { q: 'SSL' }).map(({ name }) => name)).toEqual([
    'libssl3',
    'OpenSSL',
  ]);
  expect(packagePage(packages, { ...ALL, sort: 'name', q: 'ssl' }).total).toBe(2);
});

it('the packages of one layer are listed and searched alone', () => {
  const packages = [
    { ...listed('zlib'), layer: 'sha256:1' },
    { ...listed('bash'), layer: 'sha256:1' },
    listed('bash', '2'),
  ];
  const of = (layer: string, q?: string) =>
    packagePage(packages, { ...ALL, sort: 'name', q, layer, limit: 10 }).items.map(
      ({ name }) => name,
    );
  expect(of('sha256:1')).toEqual(['bash', 'zlib']);
  expect(of('sha256:1', 'LIB')).toEqual(['zlib']);
  expect(of('sha256:2')).toEqual([]);
});

it.each([
  'x',
  '',
  Buffer.from('[1]').toString('base64url'),
  Buffer.from('{}').toString('base64url'),
  Buffer.from('[-1,"x"]').toString('base64url'),
  Buffer.from('[1000000000,"x"]').toString('base64url'),
])('a cursor that no list gave is refused: %j', (cursor) => {
  const page = () => packagePage([listed('a')], { ...ALL, sort: 'name', cursor });
  expect(page).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }));
});
