import { expect, it } from 'vitest';
import { contract, FOLDER_WORDS, type Operation } from './index.ts';

const operations: [string, Operation][] = Object.values(contract).flatMap((group) =>
  Object.entries(group),
);

it('no two operations share a method and path', () => {
  const routes = operations.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
});

it.each(operations)(
  '%s declares parameters exactly if its path has them, and an audit event if it changes anything',
  (_, operation) => {
    expect(operation.path.includes('{')).toBe(operation.params !== undefined);
    expect(operation.method === 'get' || operation.audit !== undefined).toBe(true);
  },
);

it('a change of state without an audit kind does not compile', () => {
  const silent = {
    method: 'post',
    path: '/silent',
    summary: 'Changes something without an audit event',
    access: 'admin',
    success: { status: 204 },
  } as const;
  // @ts-expect-error: `audit` is missing
  const operation: Operation = silent;
  expect(operation).toBe(silent);
});

it('no folder can have a name that is also a route', () => {
  const words = operations.flatMap(
    ([, { path }]) => /^\/folders\/([^/{]+)$/.exec(path)?.slice(1) ?? [],
  );
  expect(FOLDER_WORDS).toEqual(words);
});

it('every example matches its schema', () => {
  const bodies = operations.flatMap(([, { body }]) => (body ? [body] : []));
  const given = bodies.flatMap((body) =>
    (body.meta()?.examples ?? []).map((example) => ({
      example,
      taken: body.safeParse(example).success,
    })),
  );
  expect(given.length).toBeGreaterThan(2);
  expect(given.filter(({ taken }) => !taken)).toEqual([]);
});
