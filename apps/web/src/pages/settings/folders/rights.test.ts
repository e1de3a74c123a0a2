import type { Folder } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { changes, matching, type Switched, shown, step, toggle } from './rights.ts';

const FOLDER: Folder = {
  id: 'f1',
  name: 'team',
  description: '',
  policy_id: null,
  push_gate: 'report',
  pull_gate: 'off',
  immutable_tags: [],
  quota_bytes: null,
  statements: 'off' as const,
  retention: null,
  mirror: null,
  created_at: '2026-01-01T00:00:00Z',
  permissions: [
    {
      group_id: 'g1',
      group_name: 'devs',
      can_pull: true,
      can_push: false,
      can_pull_external: false,
      can_push_external: false,
    },
  ],
};
const NOTHING: Switched = {};

describe('the permission matrix', () => {
  it('shows granted rights with unsaved changes', () => {
    expect(shown(FOLDER, 'g1', NOTHING).can_pull).toBe(true);
    expect(shown(FOLDER, 'g2', NOTHING).can_pull).toBe(false);
    expect(shown(FOLDER, 'g2', toggle(FOLDER, 'g2', 'can_push', NOTHING)).can_push).toBe(true);
  });

  it('saves only differences; a right that was toggled twice is unchanged', () => {
    const once = toggle(FOLDER, 'g1', 'can_push', NOTHING);
    expect(changes([FOLDER], once)).toMatchObject([
      { folderId: 'f1', groupId: 'g1', differing: 1, empty: false },
    ]);
    expect(changes([FOLDER], toggle(FOLDER, 'g1', 'can_push', once))).toEqual([]);
  });

  it('an entry without any right is deleted', () => {
    expect(changes([FOLDER], toggle(FOLDER, 'g1', 'can_pull', NOTHING))).toMatchObject([
      { empty: true },
    ]);
  });

  it('drops changes in a deleted folder', () => {
    expect(changes([], toggle(FOLDER, 'g1', 'can_pull', NOTHING))).toEqual([]);
  });

  it.each([
    ['ArrowRight', { row: 0, column: 0 }, { row: 0, column: 1 }],
    ['ArrowLeft', { row: 0, column: 0 }, { row: 0, column: 0 }],
    ['ArrowDown', { row: 2, column: 3 }, { row: 2, column: 3 }],
    ['ArrowUp', { row: 2, column: 3 }, { row: 1, column: 3 }],
    ['Home', { row: 1, column: 3 }, { row: 1, column: 0 }],
    ['End', { row: 1, column: 0 }, { row: 1, column: 7 }],
    ['PageDown', { row: 0, column: 4 }, { row: 2, column: 4 }],
  ])('%s moves within the grid', (key, from, to) => {
    expect(step(key, from, { row: 2, column: 7 })).toEqual(to);
  });

  it('ignores other keys', () => {
    expect(step('a', { row: 0, column: 0 }, { row: 2, column: 7 })).toBeNull();
  });
});

describe('a filter of the matrix', () => {
  const names = ['Platform', 'shop', 'shop-backend'];
  const found = (text: string) => matching(names, text, (name) => name);

  it('finds a part of the displayed name in whatever case', () => {
    expect(found('PLAT')).toEqual(['Platform']);
    expect(found(' shop ')).toEqual(['shop', 'shop-backend']);
  });

  it('keeps everything without a text, and nothing that does not match', () => {
    expect(found(' ')).toEqual(names);
    expect(found('x')).toEqual([]);
  });
});
