/** The index of the built-in registry, on a real PostgreSQL. */
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';
import type { ManifestFacts } from './records.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  await store.folders.ensureRoot();
  for (const name of ['team', 'other']) await store.folders.insertFolder({ name });
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

function image(
  digest: string,
  blobs: Record<string, number>,
  platforms = ['linux/amd64'],
): ManifestFacts {
  const contents = Object.entries(blobs).map(([each, size]) => ({
    digest: each,
    size,
    isManifest: false,
  }));
  return {
    digest,
    mediaType: MANIFEST,
    artifactType: null,
    subject: null,
    size: 10,
    contents,
    platforms,
  };
}

function indexOf(digest: string, children: ManifestFacts[]): ManifestFacts {
  const contents = children.map((child) => ({
    digest: child.digest,
    size: child.size,
    isManifest: true,
  }));
  const platforms = children.flatMap((child) => child.platforms);
  return {
    digest,
    mediaType: INDEX,
    artifactType: null,
    subject: null,
    size: 5,
    contents,
    platforms,
  };
}

function push(
  repository: string,
  tag: string | null,
  manifests: ManifestFacts[],
  seconds = 0,
): Promise<void> {
  const digest = manifests.at(-1)?.digest ?? '';
  return store.images.record({ repository, tag, digest, manifests, at: at(seconds) });
}

const tagsOf = async (repository: string) =>
  (await store.images.tags(repository, {})).items.map(({ tag, digest }) => `${tag}=${digest}`);

describe('a repository', () => {
  it('counts each blob once, however many of its images share it', async () => {
    await push('team/shared', 'a', [image('m:a', { base: 100, a: 7 })]);
    await push('team/shared', 'b', [image('m:b', { base: 100, b: 3 })]);
    expect(await store.images.find('team/shared')).toMatchObject({
      tagCount: 2,
      size: 130,
      folder: 'team',
    });
  });

  it('of two platforms has one tag, with both platforms and the size of all its blobs', async () => {
    const children = [
      image('m:amd', { base: 100, x: 1 }),
      image('m:arm', { base: 100, y: 2 }, ['linux/arm64']),
    ];
    await push('team/multi', '1', [...children, indexOf('i:1', children)]);
    const { items } = await store.images.tags('team/multi', {});
    expect(items).toEqual([
      {
        tag: '1',
        digest: 'i:1',
        mediaType: INDEX,
        size: 5 + 20 + 103,
        platforms: ['linux/amd64', 'linux/arm64'],
        updatedAt: at(0),
        verdict: null,
      },
    ]);
    expect(await store.images.find('team/multi')).toMatchObject({ size: 128, tagCount: 1 });
  });

  it('whose tag moves drops what is no longer referenced, and keeps what another tag references', async () => {
    const children = [image('m:1', { a: 1 }), image('m:2', { b: 1 })];
    await push('team/moved', 'latest', [...children, indexOf('i:1', children)]);
    await push('team/moved', 'stable', [image('m:2', { b: 1 })]);
    await push('team/moved', 'latest', [image('m:3', { c: 1 })], 1);
    expect((await store.images.digests('team/moved')).sort()).toEqual(['m:2', 'm:3']);
    expect(await store.images.find('team/moved')).toMatchObject({
      tagCount: 2,
      size: 22,
      updatedAt: at(1),
    });
  });

  it('keeps a referrer, which no tag references', async () => {
    await push('team/signed', '1', [image('m:1', { a: 1 })]);
    await push('team/signed', null, [{ ...image('s:1', { sig: 1 }, []), subject: 'm:1' }]);
    await store.images.removeTag('team/signed', '1');
    expect(await store.images.digests('team/signed')).toEqual(['s:1']);
  });

  it('loses a manifest with all its tags, and a tag without its siblings', async () => {
    await push('team/lost', 'a', [image('m:1', { a: 1 })]);
    await push('team/lost', 'b', [image('m:1', { a: 1 })]);
    await push('team/lost', 'c', [image('m:2', { b: 1 })]);
    await store.images.removeTag('team/lost', 'a');
    expect(await tagsOf('team/lost')).toEqual(['b=m:1', 'c=m:2']);
    await store.images.removeManifest('team/lost', 'm:1');
    expect(await tagsOf('team/lost')).toEqual(['c=m:2']);
  });

  it('whose manifests claim more bytes than exist has the largest size that a number can represent', async () => {
    const claims = (name: string) =>
      Object.fromEntries(
        Array.from({ length: 600 }, (_, n) => [`${name}${n}`, Number.MAX_SAFE_INTEGER]),
      );
    const children = [image('m:vast', claims('v')), image('m:huge', claims('h'))];
    await push('team/vast', '1', [...children, indexOf('i:vast', children)]);
    const { items } = await store.images.tags('team/vast', {});
    expect(items[0]?.size).toBe(Number.MAX_SAFE_INTEGER);
    expect((await store.images.find('team/vast'))?.size).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('without manifests is removed', async () => {
    await push('team/gone', '1', [image('m:1', { a: 1 })]);
    await store.images.removeTag('team/gone', '1');
    expect(await store.images.find('team/gone')).toBeNull();
  });

  it('stays correct under concurrent pushes', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        push('team/busy', `t${n}`, [image(`m:${n}`, { base: 100, [`${n}`]: 1 })]),
      ),
    );
    expect(await store.images.find('team/busy')).toMatchObject({
      tagCount: 20,
      size: 100 + 20 * 11,
    });
  });
});

describe('repositories', () => {
  it.each([
    ['nginx:1.27', ['team/nginx']],
    ['docker://registry.example/team/nginx:1.2', ['team/nginx']],
    ['team/nginx@sha256:ab', ['team/nginx']],
    ['nginx team/', ['team/nginx']],
    ['nginx:1.28', []],
    ['team/nginx@sha256:cd', []],
  ])('are found by what people paste: %s', async (search, names) => {
    await push('team/nginx', '1.27', [image('sha256:ab12', { n: 1 })]);
    const filter = { folders: 'all' as const, search, page: 1, pageSize: 10 };
    const { items } = await store.images.list(filter);
    expect(items.map(({ name }) => name)).toEqual(names);
  });
});

describe('tags', () => {
  it('are listed newest first, in pages', async () => {
    for (let n = 0; n < 5; n++)
      await push('team/paged', `t${n}`, [image(`p:${n}`, {})], n < 3 ? 1 : 2);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await store.images.tags('team/paged', { limit: 2, cursor });
      expect(page.total).toBe(5);
      seen.push(...page.items.map(({ tag }) => tag));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['t3', 't4', 't0', 't1', 't2']);
    await expect(store.images.tags('team/paged', { cursor: 'x' })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });

  it('are filtered before they are paged, by part of the name or by the whole digest', async () => {
    const found = async (q: string, limit = 50) => {
      const { items, total } = await store.images.tags('team/filtered', { q, limit });
      return [items.map(({ tag }) => tag), total];
    };
    for (const [n, tag] of ['v1.0-rc', 'v1.0', 'v2_0', 'Latest'].entries())
      await push('team/filtered', tag, [image(`m:filtered${n}`, { base: 1 })], n);
    expect(await found('1.0')).toEqual([['v1.0', 'v1.0-rc'], 2]);
    expect(await found('1.0', 1)).toEqual([['v1.0'], 2]);
    expect(await found('LATEST')).toEqual([['Latest'], 1]);
    expect(await found('_')).toEqual([['v2_0'], 1]);
    expect(await found('m:filtered2')).toEqual([['v2_0'], 1]);
    expect(await found('m:filtered')).toEqual([[], 0]);
  });

  it('have the verdict of the newest job for their digest', async () => {
    const owner = await store.users.insert({ username: 'ann', passwordHash: null });
    const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
    for (const verdict of ['clean', 'blocked', 'pending'] as const) {
      const { id } = await store.jobs.insert({ ownerId: owner.id, image: 'a', tag: '1', source });
      await store.jobs.update(id, (job) => ({
        ...job,
        status: 'staged',
        digest: 'm:judged',
        verdict,
      }));
    }
    await push('team/judged', '1', [image('m:judged', {})]);
    expect((await store.images.tags('team/judged', {})).items[0]?.verdict).toBe('blocked');
  });
});

describe('the names of repositories', () => {
  it('are those of the readable folders, in order, in pages, with or without tags', async () => {
    for (const name of [
      'names-alone',
      'other/names',
      'team/names/a',
      'team/names/b',
      'nofolder/names',
    ])
      await push(name, name.endsWith('b') ? null : '1', [image(`m:${name}`, {})]);
    const under = async (folders: 'all' | string[]) => {
      const names: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.images.names({ folders, after, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        names.push(...page);
        after = page.at(-1);
        if (after === undefined) return names.filter((name) => name.includes('names'));
      }
    };
    expect(await under(['team'])).toEqual(['team/names/a', 'team/names/b']);
    expect(await under(['other', '__root__'])).toEqual([
      'names-alone',
      'nofolder/names',
      'other/names',
    ]);
    expect(await under([])).toEqual([]);
    expect(await under('all')).toHaveLength(5);
  });
});

describe('reconciliation', () => {
  it('reports repositories that were neither listed nor changed since', async () => {
    await push('other/old', '1', [image('m:1', {})], 10);
    await push('other/new', '1', [image('m:1', {})], 10);
    await store.images.seen(['other/new'], at(20));
    const unseen = await store.images.unseenSince(at(20), 100);
    expect(unseen).toContain('other/old');
    expect(unseen).not.toContain('other/new');
  });
});

describe('the tree', () => {
  const KEPT = ['tree-a', 'tree-b'];
  const level = async (path: string | null, folders: 'all' | string[] = [...KEPT, '__root__']) => {
    const { items } = await store.images.tree({ folders, path, page: 1, pageSize: 200 });
    return items
      .filter(({ path: at }) => path !== '__root__' || at.startsWith('tree-'))
      .map(({ name, isRepository, repositories, tagCount, size }) =>
        [name, isRepository ? 'repository' : '', repositories, tagCount, size].join(' '),
      );
  };

  beforeAll(async () => {
    for (const name of KEPT) await store.folders.insertFolder({ name });
    for (const [n, name] of [
      'tree-a/app',
      'tree-a/app/web',
      'tree-a/app/api/v2',
      'tree-a/apple',
      'tree-a',
      'tree-none/deep/app',
    ].entries())
      await push(name, '1', [image(`m:tree${n}`, { [`tree${n}`]: 10 ** n })]);
    await push('tree-a/untagged', null, [image('m:untagged', { untagged: 1 })]);
  });

  it('begins with the folders, including empty ones, the root last, each with its totals', async () => {
    const [first, empty, root] = await level(null);
    expect([first, empty]).toEqual(['tree-a  4 4 1151', 'tree-b  0 0 0']);
    expect(root?.startsWith('__root__  ')).toBe(true);
  });

  it('lists the next level below a path: segments, repositories, and repositories with others below', async () => {
    expect(await level('tree-a')).toEqual(['app repository 2 3 141', 'apple repository 0 1 1010']);
    expect(await level('tree-a/app')).toEqual(['api  1 1 110', 'web repository 0 1 20']);
    expect(await level('tree-a/app/api')).toEqual(['v2 repository 0 1 110']);
    expect(await level('tree-a/app/api/v2')).toEqual([]);
    expect(await level('tree-a/ap')).toEqual([]);
  });

  it('lists repositories without a folder under the root, even one with the name of a folder', async () => {
    expect(await level('__root__')).toEqual([
      'tree-a repository 0 1 10010',
      'tree-none  1 1 100010',
    ]);
    expect(await level('tree-none')).toEqual(['deep  1 1 100010']);
  });

  it('neither shows nor counts anything of an unreadable folder', async () => {
    expect(await level(null, ['tree-b'])).toEqual(['tree-b  0 0 0']);
    for (const path of ['tree-a', 'tree-a/app', '__root__', 'tree-none'])
      expect(await level(path, ['tree-b']), path).toEqual([]);
    expect(await level('tree-none', ['tree-a'])).toEqual([]);
    expect(await level(null, [])).toEqual([]);
  });

  it('is paged, and each page has the total', async () => {
    const page = (n: number) =>
      store.images.tree({ folders: 'all', path: 'tree-a', page: n, pageSize: 1 });
    expect(await page(2)).toMatchObject({ items: [{ path: 'tree-a/apple' }], total: 2 });
    expect(await page(3)).toEqual({ items: [], total: 2 });
  });
});

let readings = 0;

/** The rows that PostgreSQL reads for it in a separate session, which reports them at its end. */
async function reading<T>(ask: (store: Store) => Promise<T>): Promise<{ found: T; rows: number }> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const number = async (sql: string, ...values: string[]) =>
    Number((await client.query(sql, values)).rows[0].number);
  const rowsRead = () =>
    number(
      'SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) AS number FROM pg_stat_user_tables',
    );
  const url = new URL(database.url);
  const name = `reading-${++readings}`;
  url.searchParams.set('application_name', name);
  const sessions = () =>
    number('SELECT count(*) AS number FROM pg_stat_activity WHERE application_name = $1', name);
  try {
    const before = await rowsRead();
    const own = openStore(url.href, sealer(Buffer.alloc(32, 1)));
    const found = await ask(own);
    expect(await sessions()).toBeGreaterThan(0);
    await own.close();
    await expect.poll(sessions).toBe(0);
    return { found, rows: (await rowsRead()) - before };
  } finally {
    await client.end();
  }
}

describe('browsing 10,000 repositories with 100,000 tags', () => {
  const folders = Array.from({ length: 100 }, (_, n) => `f${n}`);
  const MOST_ROWS = 500_000;
  beforeAll(async () => {
    for (const name of folders) await store.folders.insertFolder({ name });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`
      INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
      SELECT 'f' || n % 200 || '/service-' || n, 'f' || n % 200, 10, n, now(), now() FROM generate_series(1, 10000) n;
      INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
      SELECT r.name, 'sha256:' || md5(r.name || t), '${MANIFEST}', 1000, 1000000, '{linux/amd64}', now()
        FROM local_repositories r, generate_series(1, 10) t WHERE r.name LIKE 'f%/service-%';
      INSERT INTO local_tags (repository, tag, digest, updated_at)
      SELECT r.name, 'v' || t, 'sha256:' || md5(r.name || t), now()
        FROM local_repositories r, generate_series(1, 10) t WHERE r.name LIKE 'f%/service-%';
      ANALYZE`);
    await client.end();
  });

  const few = { folders: folders.slice(0, 30), page: 1, pageSize: 50 };
  it.each([
    ['the first page of everything', { folders: 'all', page: 1, pageSize: 200 } as const, 10_000],
    ['the last page of everything', { folders: 'all', page: 50, pageSize: 200 } as const, 10_000],
    ['a page of 30 folders', few, 1_500],
    ['what isn’t in any folder', { ...few, folders: ['__root__'] }, 5_000],
    ['a search', { ...few, search: 'SERVICE-99' }, null],
    ['a search that finds nothing', { ...few, search: '%' }, 0],
  ])('reads each row a few times at most for %s', async (_, filter, total) => {
    const { found, rows } = await reading(({ images }) => images.list(filter));
    if (total !== null) expect(found.total).toBeGreaterThanOrEqual(total);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(MOST_ROWS);
  });

  it.each([
    ['the folders', null, 'all', 100],
    ['what isn’t in any folder', '__root__', 'all', 100],
    ['a folder', 'f1', 'all', 50],
    ['the folders of an account that may read 30', null, folders.slice(0, 30), 30],
  ] as const)(
    'reads each row a few times at most for the tree’s level of %s',
    async (_, path, readable, total) => {
      const { found, rows } = await reading(({ images }) =>
        images.tree({ folders: readable, path, page: 1, pageSize: 200 }),
      );
      expect(found.total).toBeGreaterThanOrEqual(total);
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThan(MOST_ROWS);
    },
  );

  it('filters by read permission before it pages', async () => {
    const { items, total } = await store.images.list({ folders: ['f1'], page: 1, pageSize: 200 });
    expect([items.length, total]).toEqual([50, 50]);
    expect(items.every(({ folder }) => folder === 'f1')).toBe(true);
    const root = await store.images.list({
      folders: ['__root__'],
      search: 'f150/',
      page: 1,
      pageSize: 10,
    });
    expect(root.items.every(({ folder }) => folder === '__root__')).toBe(true);
    expect(await store.images.list({ folders: [], page: 1, pageSize: 10 })).toEqual({
      items: [],
      total: 0,
    });
    expect(await store.images.countUnder('f7')).toBe(50);
  });
});
