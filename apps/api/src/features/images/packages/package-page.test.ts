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

function allPages(packages: readonly ListedPackage[], limit: number, q?: string): ListedPackage[] {
  const found: ListedPackage[] = [];
  let cursor: string | undefined;
  do {
    const page = packagePage(packages, { q, layer: undefined, limit, cursor });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

it('the pages together have each package once, in the order of one large page', () => {
  const some = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'A', 'b', 'é', 'z'),
      version: fc.constantFrom('1', '2'),
      path: fc.constantFrom(null, 'app/a', 'app/b'),
    }),
    { selector: (each) => JSON.stringify(each) },
  );
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 4 }), (parts, limit) => {
      const packages = parts.map(({ name, version, path }) => listed(name, version, path));
      const paged = allPages(packages, limit);
      expect(paged).toEqual(allPages(packages, 200));
      expect(new Set(paged)).toEqual(new Set(packages));
    }),
  );
});

it('names are sorted and searched in upper or lower case, and the total is of what matches', () => {
  const packages = ['zlib', 'OpenSSL', 'libssl3', 'bash'].map((name) => listed(name));
  const query = { layer: undefined, limit: 1, cursor: undefined };
  const names = allPages(packages, 10).map(({ name }) => name);
  expect(names).toEqual(['bash', 'libssl3', 'OpenSSL', 'zlib']);
  expect(allPages(packages, 1, 'SSL').map(({ name }) => name)).toEqual(['libssl3', 'OpenSSL']);
  expect(packagePage(packages, { ...query, q: 'ssl' }).total).toBe(2);
});

it('the packages of one layer are listed and searched alone', () => {
  const packages = [
    { ...listed('zlib'), layer: 'sha256:1' },
    { ...listed('bash'), layer: 'sha256:1' },
    listed('bash', '2'),
  ];
  const of = (layer: string, q?: string) =>
    packagePage(packages, { q, layer, limit: 10, cursor: undefined }).items.map(({ name }) => name);
  expect(of('sha256:1')).toEqual(['bash', 'zlib']);
  expect(of('sha256:1', 'LIB')).toEqual(['zlib']);
  expect(of('sha256:2')).toEqual([]);
});

it.each([
  'x',
  '',
  Buffer.from('[1]').toString('base64url'),
  Buffer.from('{}').toString('base64url'),
])('a cursor that no list gave is refused: %j', (cursor) => {
  const page = () =>
    packagePage([listed('a')], { q: undefined, layer: undefined, limit: 1, cursor });
  expect(page).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }));
});
