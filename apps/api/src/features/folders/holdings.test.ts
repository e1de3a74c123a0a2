import { expect, it } from 'vitest';
import { holdsRepositories } from './holdings.ts';

/** As the registry does it: by path, segment by segment. */
function registry(images: Record<string, string[]>) {
  const key = (name: string) => name.replaceAll('/', '\0');
  const names = Object.keys(images).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  let pages = 0;
  return {
    pages: () => pages,
    catalog: async (last = '', n: number) => {
      pages++;
      return names.filter((name) => key(name) > key(last)).slice(0, n);
    },
    tags: async (name: string) => images[name] ?? [],
  };
}

const others = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`zz/${n}`, ['1']]));

it.each<[string, Record<string, string[]>, boolean]>([
  ['nothing', {}, false],
  ['one of its own', { 'team/app': ['1'] }, true],
  ['one deep below', { 'team/a/b/c': ['1'] }, true],
  ['one of its very name, which is the root’s', { team: ['1'] }, false],
  ['neighbours only', { 'team-a/app': ['1'], 'team.a/app': ['1'], 'tea/m': ['1'], 'team0/x': ['1'] }, false],
  ['one that was emptied', { 'team/app': [] }, false],
  [
    'one behind hundreds that were emptied',
    { ...Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`team/a${n}`, []])), 'team/z': ['1'] },
    true,
  ],
])('a folder with %s', async (_, images, holds) => {
  expect(await holdsRepositories('team', registry({ ...others, ...images }))).toBe(holds);
});

it('what lies behind a folder isn’t read', async () => {
  const full = registry({ ...others, 'team/app': [] });
  await holdsRepositories('team', full);
  expect(full.pages()).toBe(1);
});
