/** What the files of an image say against what a scanner reports: both directions. */
import { jar, type Links, mavenJar, tar } from '@portcullis/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPackages } from '../judging/package-list.ts';
import { tarEntryNames } from '../layers/tar.ts';
import type { RawResult } from '../reports/raw-report.ts';
import { type LayerFiles, searchFiles } from './file-search.ts';
import { watchFiles } from './file-watch.ts';
import { applyFiles } from './surviving-files.ts';

type Tree = Record<string, string | Uint8Array>;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function searched(archive: Uint8Array): Promise<LayerFiles> {
  const search = searchFiles();
  for await (const entry of tarEntryNames(once(archive))) await search.add(entry);
  return search.found();
}

async function applied(layers: readonly LayerFiles[]) {
  const applier = applyFiles();
  for (const [at, layer] of layers.entries())
    await applier.apply(layer, { diffId: `layer ${at}`, name: `sha256:${at}` });
  return applier.found();
}

async function unreportedOf(layers: readonly Tree[], results: RawResult[] = []) {
  const archives = await Promise.all(layers.map((files) => tar(files)));
  const { files } = await applied(await Promise.all(archives.map(searched)));
  const watch = watchFiles(files);
  listPackages({ Results: results }, watch);
  return watch.unreported().map(({ path }) => path);
}

const at = (path: string, layer = 0) => ({
  Name: 'a',
  Version: '1',
  FilePath: path,
  Layer: { DiffID: `layer ${layer}` },
});
const listed = (...packages: ReturnType<typeof at>[]): RawResult => ({
  Target: '',
  Class: 'lang-pkgs',
  Packages: packages,
});

const npm = (name: string, version = '1.0.0') => JSON.stringify({ name, version });
const METADATA = 'Metadata-Version: 2.1\nName: a\nVersion: 1.0\n';
const GEMSPEC = 'Gem::Specification.new do |s|\n  s.name = "a"\n  s.version = "1"\nend\n';

/** Trees in which Trivy finds packages, and where it does. */
const ORDINARY: { tree: Tree; found: string[] }[] = [
  {
    tree: {
      'app/package.json': npm('app'),
      'app/node_modules/a/package.json': npm('a'),
      'app/node_modules/a/esm/package.json': '{"type":"module"}',
      'app/node_modules/a/test/package.json': 'broken',
      'app/node_modules/a/part/package.json': npm('a/part'),
      'app/node_modules/@b/c/package.json': npm('@b/c'),
      'app/node_modules/.pnpm/d@1/node_modules/d/package.json': npm('d'),
    },
    found: [
      'app/package.json',
      'app/node_modules/a/package.json',
      'app/node_modules/@b/c/package.json',
      'app/node_modules/.pnpm/d@1/node_modules/d/package.json',
    ],
  },
  {
    tree: {
      'venv/a-1.dist-info/METADATA': METADATA,
      'venv/a-1.dist-info/RECORD': 'x',
      'venv/b.egg-info/PKG-INFO': METADATA,
      'venv/c-1.0.egg-info': METADATA,
      'venv/d-1.0.egg': jar({ 'EGG-INFO/PKG-INFO': METADATA }),
    },
    found: [
      'venv/a-1.dist-info/METADATA',
      'venv/b.egg-info/PKG-INFO',
      'venv/c-1.0.egg-info',
      'venv/d-1.0.egg',
    ],
  },
  {
    tree: { 'gems/specifications/a-1.gemspec': GEMSPEC, 'gems/gems/a-1/a.gemspec': 'x' },
    found: ['gems/specifications/a-1.gemspec'],
  },
  {
    tree: {
      'app/app.jar': jar({
        'BOOT-INF/classes/A.class': 'x',
        ...Object.fromEntries(
          Array.from({ length: 200 }, (_, n) => [
            `BOOT-INF/lib/a${n}-1.0.jar`,
            mavenJar('a', `a${n}`, '1.0'),
          ]),
        ),
      }),
    },
    found: Array.from({ length: 200 }, (_, n) => `app/app.jar/BOOT-INF/lib/a${n}-1.0.jar`),
  },
  {
    tree: {
      'app.ear': jar({ 'app.war': 'x' }),
      'opt/jdk/lib/jrt-fs.jar': jar({ 'jdk/A.class': '' }),
    },
    found: ['app.ear/app.war/WEB-INF/lib/a.jar'],
  },
  {
    tree: {
      'app/app.deps.json': '{"libraries":{}}',
      'sbom/a.cdx.json': '{}',
      'sbom/LICENSE.spdx': 'SPDXVersion: 2.1',
    },
    found: [],
  },
  { tree: { 'vendor/composer/installed.json': '{"packages":[]}' }, found: [] },
];

/** Each is passed over. */
const UNREAD: Tree[] = [
  { 'x/vendor/composer/installed.json': JSON.stringify([{ name: 'x/x', version: '1' }]) },
  { 'x/vendor/composer/installed.json': '' },
  { 'x/node_modules/x/package.json': `\uFEFF${npm('x')}` },
  { 'x/node_modules/x~y/package.json': npm('x~y') },
  { 'x/node_modules/@x/y/package.json': '{' },
  { 'x/package.json': `\uFEFF${npm('x')}` },
  { 'x/x-1.dist-info/METADATA': `\n${METADATA}` },
  { 'x/x-1.dist-info/METADATA': '' },
  { 'x/x.egg-info': 'x' },
  { 'x/x.egg': 'PK' },
  { 'x/specifications/x.gemspec': '' },
  { 'x/conda-meta/x-1-0.json': npm('x') },
  { 'x/x.deps.json': '\uFEFF{}' },
  { 'x/x.spdx.json': '{' },
  { 'opt/bitnami/x/.spdx-x.spdx': '{"spdxVersion":' },
  { 'x/x.jar': jar({ 'x/X.class': '' }) },
  { 'x/x.war': jar({ 'WEB-INF/classes/X.class': '', 'WEB-INF/lib/x.jar': '' }) },
  { 'x/x.ear': 'x' },
  { 'x/X.JAR': 'PK\u0003\u0004' },
];

const ordinary = fc.subarray(ORDINARY).map((some) => ({
  tree: Object.assign({}, ...some.map(({ tree }) => tree)) as Tree,
  results: some.map(({ found }) => listed(...found.map((path) => at(path)))),
}));

describe('files of packages', () => {
  it('are all reported in ordinary images', async () => {
    await fc.assert(
      fc.asyncProperty(ordinary, async ({ tree, results }) => {
        expect(await unreportedOf([tree], results)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it.each(UNREAD)('are not where any image has %o as well', async (files) => {
    await fc.assert(
      fc.asyncProperty(ordinary, async ({ tree, results }) => {
        expect(await unreportedOf([{ ...tree, ...files }], results)).toHaveLength(1);
        expect(await unreportedOf([tree, files], results)).toHaveLength(1);
      }),
      { numRuns: 5 },
    );
  });

  it.each<[string, Tree, string[]]>([
    ['removed', { 'a/.wh.b': '' }, []],
    ['removed with its directory', { '.wh.a': '' }, []],
    ['hidden', { 'a/b/.wh..wh..opq': '' }, []],
    ['left beside what is removed', { 'a/.wh.bc': '' }, ['a/b/c.jar']],
    ['added again', { '.wh.a': '', 'a/b/c.jar': 'PK' }, ['a/b/c.jar']],
  ])('count as what layers leave of them: %s', async (_, layer, left) => {
    expect(await unreportedOf([{ 'a/b/c.jar': 'PK' }, layer])).toEqual(left);
  });

  it('are those of the last layer, whatever Trivy read of the path before', async () => {
    const path = 'node_modules/a/package.json';
    const [old, broken] = [{ [path]: npm('a') }, { [path]: npm('a', '0.9') }];
    const results = [listed(at(path, 0))];
    expect(await unreportedOf([old, broken], results)).toEqual([path]);
    expect(await unreportedOf([old, broken, old], results)).toEqual([]);
    expect(await unreportedOf([old, old], results)).toEqual([]);
    expect(await unreportedOf([old, { [path]: '{' }], results)).toEqual([path]);
    const composer = 'vendor/composer/installed.json';
    const list = JSON.stringify({ packages: [{ name: 'a/a', version: '1' }] });
    const reported = [listed(at(composer, 0))];
    const layers = (text: string) => [{ [composer]: list }, { [composer]: text }];
    expect(await unreportedOf(layers(`${list}\n`), reported)).toEqual([]);
    expect(await unreportedOf(layers(`\uFEFF${list}`), reported)).toEqual([composer]);
    expect(await unreportedOf(layers(list + ' '.repeat(2 ** 20)), reported)).toEqual([]);
  });
});

describe('what a package of the operating system has installed', () => {
  const path = 'usr/share/a/node_modules/a/package.json';
  const tree = {
    [path]: npm('a'),
    'opt/a/a.deps.json': '{}',
    'usr/share/a/a.jar': jar({ 'a/A.class': '' }),
  };
  const owned = (Type: string, Maintainer: string, more = {}): RawResult => ({
    Target: '',
    Class: 'os-pkgs',
    Type,
    Packages: [
      {
        Name: 'a',
        Maintainer,
        InstalledFiles: Object.keys(tree).map((each) => `/${each}`),
        Layer: { DiffID: 'layer 0' },
        ...more,
      },
    ],
  });
  const THIRD_PARTY = { Repository: { Class: 'third-party' } };

  it.each<[string, RawResult, number]>([
    ['Debian', owned('debian', 'Matthias Klose <doko@debian.org>'), 1],
    ['a team of Debian', owned('debian', 'Python <team+python@tracker.debian.org>'), 1],
    ['another team', owned('debian', 'A11y <pkg-a11y-devel@alioth-lists.debian.net>'), 1],
    ['Ubuntu', owned('ubuntu', 'Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>'), 1],
    ['Alpine', owned('alpine', 'Natanael <n@example.com>'), 1],
    ['Red Hat', owned('redhat', 'Red Hat, Inc.'), 0],
    ['a maker that Trivy knows', owned('debian', 'x@debian.org', THIRD_PARTY), 3],
    ['another maker', owned('debian', 'Ops <ops@example.com>'), 3],
    ['a maker with a similar address', owned('debian', 'x <x@notdebian.org>'), 3],
    ['no maker', owned('ubuntu', ''), 3],
    ['a layer before', owned('redhat', '', { Layer: { DiffID: 'another layer' } }), 2],
  ])('is left to %s', async (_, result, left) => {
    expect(await unreportedOf([tree], [result])).toHaveLength(left);
  });
});

describe('hard links', () => {
  const [one, two] = ['a/node_modules/a/package.json', 'b/node_modules/a/package.json'];
  const fat = jar({ 'BOOT-INF/lib/a.jar': '' });

  async function unreported(tree: Tree, links: Links, others: Tree[], found: string[]) {
    const archives = await Promise.all([tar(tree, links), ...others.map((files) => tar(files))]);
    const watch = watchFiles((await applied(await Promise.all(archives.map(searched)))).files);
    listPackages({ Results: [listed(...found.map((path) => at(path)))] }, watch);
    return watch.unreported().map(({ path }) => path);
  }

  it.each<[string, Tree[], string[]]>([
    ['are reported with the other name', [], []],
    ['are lost with the other name', [{ '.wh.a': '' }], [two]],
    ['are lost where the other name is replaced', [{ [one]: npm('a', '2') }], [one, two]],
    ['are gone', [{ '.wh.b': '' }], []],
  ])('%s', async (_, others, left) => {
    const links: Links = { [two]: { type: 'link', to: one } };
    expect(await unreported({ [one]: npm('a') }, links, others, [one])).toEqual(left);
  });

  it('have what is in an archive', async () => {
    const links: Links = { 'b.jar': { type: 'link', to: 'a.jar' } };
    const inner = 'a.jar/BOOT-INF/lib/a.jar';
    expect(await unreported({ 'a.jar': fat }, links, [], [inner])).toEqual([]);
    expect(await unreported({ 'a.jar': fat }, links, [], [])).toEqual([
      inner,
      `b${inner.slice(1)}`,
    ]);
  });

  it('to a file that names no package name none', async () => {
    const links: Links = { [two]: { type: 'link', to: one } };
    expect(await unreported({ [one]: '{}' }, links, [], [])).toEqual([]);
  });
});

describe('an RPM database', () => {
  const SQLITE = 'SQLite format 3\0…';
  const RPMDB = 'var/lib/rpm/rpmdb.sqlite';
  const PACKAGES = 'var/lib/rpm/Packages';
  const BERKELEY_DB = `${'\0'.repeat(12)}a\x15\x06\0`;

  it.each<[string, Tree[], string[]]>([
    ['is read', [{ [RPMDB]: SQLITE }], []],
    ['of Berkeley DB is read', [{ [PACKAGES]: BERKELEY_DB }], []],
    ['of NDB is read', [{ 'usr/lib/sysimage/rpm/Packages.db': 'RpmP' }], []],
    ['is empty', [{ [PACKAGES]: '' }], []],
    ['elsewhere is no file of this kind', [{ 'opt/rpm/Packages': 'x' }], []],
    ['is damaged in a later layer', [{ [RPMDB]: SQLITE }, { [RPMDB]: 'x' }], [RPMDB]],
    ['is mended in a later layer', [{ [PACKAGES]: 'x' }, { [PACKAGES]: 'RpmP' }], []],
  ])('%s', async (_, layers, unreported) => {
    expect(await unreportedOf(layers)).toEqual(unreported);
  });
});
