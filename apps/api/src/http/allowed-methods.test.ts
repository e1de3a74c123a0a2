import { contract } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { methodsByPath, type PathMethod } from './allowed-methods.ts';

const TABLE: PathMethod[] = [
  { method: 'get', path: '/folders' },
  { method: 'post', path: '/folders' },
  { method: 'patch', path: '/folders/{id}' },
  { method: 'get', path: '/folders/{id}' },
  { method: 'get', path: '/folders/mine' },
  { method: 'get', path: '/folders/{id}/members' },
  { method: 'put', path: '/folders/mine/{any}' },
];

describe('the methods of a path', () => {
  it.each([
    ['are those of its template', '/folders/x', ['patch', 'get']],
    ['are those of the literal path where a template matches, too', '/folders/mine', ['get']],
    ['are those of the first literal segment', '/folders/mine/members', ['put']],
    ['do not depend on a slash at the end', '/folders/', ['get', 'post']],
    ['are none for an empty segment', '/folders//members', null],
    ['are none for a longer path', '/folders/x/y', null],
    ['are none in another case', '/Folders', null],
  ])('%s', (_, path, methods) => {
    expect(methodsByPath(TABLE)(path)).toEqual(methods);
  });

  it('are those of the literal path also where a shorter path was declared between the two', () => {
    const table: PathMethod[] = [
      { method: 'get', path: '/jobs/{id}' },
      { method: 'get', path: '/jobs' },
      { method: 'post', path: '/jobs/all' },
    ];
    expect(methodsByPath(table)('/jobs/all')).toEqual(['post']);
  });

  it('are found for every operation of the contract', () => {
    const operations: PathMethod[] = Object.values(contract).flatMap((group) =>
      Object.values(group),
    );
    const find = methodsByPath(operations);
    const lost = operations.filter(
      ({ path, method }) => !find(path.replaceAll(/\{\w+\}/g, 'x'))?.includes(method),
    );
    expect(lost).toEqual([]);
  });
});
