import { notFound, unauthenticated } from '@portcullis/errors';
import type { ListPageOptions } from '@portcullis/oci/remote';
import { expect, it } from 'vitest';
import { holdsRepositories } from './holdings.ts';

/** Sorted like the registry's catalogue: by path segments. */
function registry(images: Record<string, string[] | null>) {
  const key = (name: string) => name.replaceAll('/', '\0');
  const names = Object.keys(images).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  let pages = 0;

  async function catalog({ cursor = '' }: ListPageOptions = {}) {
    pages++;
    const { searchParams } = new URL(cursor, 'http://registry');
    const after = names.filter((name) => key(name) > key(searchParams.get('last') ?? ''));
    const items = after.slice(0, Number(searchParams.get('n')));
    const more = after.length > items.length;
    return {
      items,
      next: more ? `/v2/_catalog?last=${items.at(-1)}&n=${searchParams.get('n')}` : undefined,
    };
  }

  async function tagsOf(name: string) {
    const items = images[name];
    if (!items) throw notFound('NAME_UNKNOWN', 'gone');
    return { items, next: undefined };
  }

  return { pages: () => pages, open: (name: string) => ({ catalog, tags: () => tagsOf(name) }) };
}

const others = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`zz/${n}`, ['1']]));

it.each<[string, Record<string, string[] | null>, boolean]>([
  ['nothing', {}, false],
  ['a repository', { 'team/app': ['1'] }, true],
  ['a nested repository', { 'team/a/b/c': ['1'] }, true],
  ['a repository of the same name, which belongs to the root', { team: ['1'] }, false],
  [
    'neighbours only',
    { 'team-a/app': ['1'], 'team.a/app': ['1'], 'tea/m': ['1'], 'team0/x': ['1'] },
    false,
  ],
  ['an emptied repository', { 'team/app': [], 'team/web': null }, false],
  [
    'one behind hundreds that were emptied',
    {
      ...Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`team/a${n}`, []])),
      'team/z': ['1'],
    },
    true,
  ],
])('a folder with %s', async (_, images, holds) => {
  expect(await holdsRepositories('team', registry({ ...others, ...images }).open)).toBe(holds);
});

it('the catalogue is not read beyond the folder', async () => {
  const full = registry({ ...others, 'team/app': [] });
  await holdsRepositories('team', full.open);
  expect(full.pages()).toBe(1);
});

it('a registry that refuses our request is unavailable, whatever its status', async () => {
  const refuse = async () => Promise.reject(unauthenticated('REGISTRY_UNAUTHENTICATED', 'no'));
  const answer = holdsRepositories('team', () => ({ catalog: refuse, tags: refuse }));
  await expect(answer).rejects.toMatchObject({ kind: 'unavailable', code: 'REGISTRY_UNAVAILABLE' });
});
