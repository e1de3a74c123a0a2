import type { ImageTreeNode } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { type KnownLevel, rowsOf, rowTyped, stepOf, type TreeRow } from './tree-rows.ts';

function node(path: string, change: Partial<ImageTreeNode> = {}): ImageTreeNode {
  const name = path.split('/').at(-1) ?? '';
  return {
    name,
    path,
    is_repository: false,
    repositories: 1,
    tag_count: 1,
    size: 1,
    updated_at: null,
    ...change,
  };
}

const repository = (path: string) => node(path, { is_repository: true, repositories: 0 });
const level = (items: ImageTreeNode[], change: Partial<KnownLevel> = {}): KnownLevel => ({
  items,
  total: items.length,
  error: null,
  ...change,
});

const LEVELS = new Map([
  ['', level([node('alpha'), node('team'), node('__root__')])],
  [
    'team',
    level([
      node('team/app', { is_repository: true }),
      repository('team/tool'),
      repository('team/two'),
    ]),
  ],
  ['team/app', level([repository('team/app/web')])],
  ['__root__', level([repository('team')])],
]);

const shown = (rows: TreeRow[]) =>
  rows.map(({ id, level: depth }) => `${'  '.repeat(depth - 1)}${id}`);
const OPEN = rowsOf(LEVELS, new Set(['team', 'team/app', '__root__']));

describe('the rows of the tree', () => {
  it('are those of the expanded levels, each below its parent', () => {
    expect(shown(rowsOf(LEVELS, new Set()))).toEqual(['alpha', 'team', '__root__']);
    expect(shown(OPEN)).toEqual([
      'alpha',
      'team',
      '  team/app',
      '    team/app/web',
      '  team/tool',
      '  team/two',
      '__root__',
      '  __root__/team',
    ]);
  });

  it('have their position, the size of their level, and whether they can be expanded', () => {
    expect(OPEN[3]).toMatchObject({ open: null, parent: 'team/app', position: 1, siblings: 1 });
    expect(OPEN[5]).toMatchObject({ open: null, parent: 'team', position: 3, siblings: 3 });
    expect(OPEN[0]).toMatchObject({ open: false, parent: null, position: 1, siblings: 3 });
  });

  it('end with loading and failed parts of a level', () => {
    const rows = rowsOf(
      new Map([
        ['', level([node('a'), node('b'), node('c')])],
        ['b', level([node('b/1')], { total: 200 })],
        ['c', level([], { total: undefined, error: new Error('away') })],
      ]),
      new Set(['a', 'b', 'c']),
    );
    expect(rows.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'a node',
      'a#rest waiting',
      'b node',
      'b/1 node',
      'b#rest waiting',
      'c node',
      'c#rest failed',
    ]);
    expect(rows[3]).toMatchObject({ siblings: 200 });
  });
});

describe('a key in the tree', () => {
  it.each([
    ['ArrowDown', 'team', { go: 'team/app' }],
    ['ArrowDown', '__root__/team', null],
    ['ArrowUp', 'team/app', { go: 'team' }],
    ['ArrowUp', 'alpha', null],
    ['Home', 'team/two', { go: 'alpha' }],
    ['End', 'alpha', { go: '__root__/team' }],
    ['ArrowRight', 'alpha', { toggle: 'alpha' }],
    ['ArrowRight', 'team', { go: 'team/app' }],
    ['ArrowRight', 'team/tool', null],
    ['ArrowLeft', 'team', { toggle: 'team' }],
    ['ArrowLeft', 'team/app/web', { go: 'team/app' }],
    ['ArrowLeft', 'alpha', null],
    ['Enter', 'team/app', { use: 'team/app' }],
    [' ', 'team/app', { toggle: 'team/app' }],
    [' ', 'team/tool', { use: 'team/tool' }],
    ['Tab', 'team', null],
    ['ArrowDown', 'no such line', null],
  ])('%j on %s', (key, at, step) => {
    expect(stepOf(key, OPEN, at)).toEqual(step);
  });

  it('skips loading rows', () => {
    const rows = rowsOf(new Map([['', level([node('a'), node('b')])]]), new Set(['a']));
    expect(stepOf('ArrowDown', rows, 'a')).toEqual({ go: 'b' });
  });
});

describe('type-ahead in the tree', () => {
  it.each([
    ['t', 'alpha', { go: 'team' }],
    ['t', 'team', { go: 'team/tool' }],
    ['t', 'team/two', { go: '__root__/team' }],
    ['tw', 'team/tool', { go: 'team/two' }],
    ['TW', 'team/two', { go: 'team/two' }],
    ['a', 'team', { go: 'team/app' }],
    ['x', 'team', null],
  ])('%s after %s', (typed, at, step) => {
    expect(rowTyped(typed, OPEN, at)).toEqual(step);
  });
});
