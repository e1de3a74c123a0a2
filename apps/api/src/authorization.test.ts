import { contract, type Operation } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { matrix, type Row } from './authorization.fixture.ts';

const operations = Object.entries(contract).flatMap(([group, entries]) =>
  Object.entries<Operation>(entries).map(([name, operation]) => ({
    name: `${group}.${name}`,
    operation,
  })),
);
const rows = new Map<string, Row>(
  Object.entries(matrix).flatMap(([group, entries]) =>
    Object.entries<Row>(entries).map(([name, row]): [string, Row] => [`${group}.${name}`, row]),
  ),
);

it.each(operations)(
  '$name has a row in the authorization table, and the row fits its access',
  (one) => {
    const row = rows.get(one.name);
    if (!row) throw new Error(`add ${one.name} to apps/api/src/authorization.fixture.ts`);
    const [anonymous, other, owner, admin] = row.expected;
    if (one.operation.access === 'public') return expect([401, 403]).not.toContain(anonymous);
    expect(anonymous).toBe(401);
    if (one.operation.access === 'admin') expect([other, owner]).toEqual([403, 403]);
    expect([401, 403]).not.toContain(admin);
  },
);

it('the matrix has no row for a removed operation', () => {
  expect([...rows.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
});
