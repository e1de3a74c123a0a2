import { expect, it } from 'vitest';
import type { PaletteEntry } from './entry.ts';
import { groupsOf } from './groups.ts';

const icon = () => null;
const entry = (kind: PaletteEntry['kind'], label: string): PaletteEntry => ({
  id: `${kind} ${label}`,
  ...{ kind, label, icon },
});
const ids = (offered: Parameters<typeof groupsOf>[0]) =>
  groupsOf(offered).map(({ name, entries }) => [name, entries.map(({ label }) => label)]);

const actions = ['Images', 'Network', 'New pull'].map((label) => entry('action', label));

it('without a text, offers what was used last and then all other actions', () => {
  const recent = [entry('image', 'team/shop'), entry('action', 'Network')];
  expect(ids({ typed: '', recent, actions, found: [] })).toEqual([
    ['recent', ['team/shop', 'Network']],
    ['action', ['Images', 'New pull']],
  ]);
});

it('puts what was used last first among what fits the text', () => {
  const recent = [entry('job', 'nginx'), entry('image', 'team/shop')];
  const found = [entry('image', 'team/shop'), entry('image', 'team/shop-front')];
  expect(ids({ typed: 'shop', recent, actions, found })).toEqual([
    ['recent', ['team/shop']],
    ['image', ['team/shop-front']],
  ]);
});

it('offers the kinds in a fixed order, and none that is empty', () => {
  const found = [entry('person', 'net'), entry('image', 'net/app'), entry('job', 'net')];
  expect(ids({ typed: 'net', recent: [], actions, found })).toEqual([
    ['action', ['Network']],
    ['image', ['net/app']],
    ['job', ['net']],
    ['person', ['net']],
  ]);
});

it('puts what is called as the text before what other words find', () => {
  const groups = { ...entry('action', 'Groups'), synonyms: 'new group' };
  const offered = { typed: 'new group', recent: [], found: [] };
  expect(ids({ ...offered, actions: [groups, entry('action', 'New group')] })).toEqual([
    ['action', ['New group', 'Groups']],
  ]);
});
