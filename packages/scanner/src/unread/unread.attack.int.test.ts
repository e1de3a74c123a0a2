/**
 * Files of packages that Trivy passes over in silence: an image with one of them is never clean.
 * What ordinary images have stays clean.
 */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import {
  buildImage,
  type Files,
  type Links,
  mavenJar,
  rpmDatabase,
  serveJavaDb,
  type TestImage,
  tar,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageOfArchives, type ScannerKit, startScanner } from '../scanner.fixture.ts';
import {
  BASE,
  CODE,
  COMPOSER,
  CORP,
  LODASH,
  METADATA,
  ORDINARY,
  PATH,
  release,
  UNREAD,
  withApk,
  withPackage,
} from './unread.fixture.ts';

const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

let kit: ScannerKit;

beforeAll(async () => {
  kit = await startScanner();
  const { scanner, registry } = kit;
  await scanner.updateJavaIndex({ javaRepositories: [await serveJavaDb(registry.url)] });
});
afterAll(() => kit?.stop());

const scan = (image: TestImage) => kit.scan(image);

async function judged(image: TestImage, policy = {}) {
  const report = await scan(image);
  const { verdict } = judge(report, { ...DEFAULT_POLICY, ...policy }, NO_OVERRIDES);
  return { verdict, gaps: (report.gaps ?? []).map(({ kind }) => kind) };
}

const judgedFiles = async (...layers: Files[]) => judged(await buildImage({ layers }));

describe('an image with', () => {
  it.each(UNREAD)('%s is not clean', async (_, [first = {}, ...others], kind) => {
    const { verdict, gaps } = await judgedFiles({ ...BASE, ...first }, ...others);
    expect({ verdict, gaps: new Set(gaps) }).toEqual({
      verdict: 'unscannable',
      gaps: new Set([kind]),
    });
  });

  it.each<[string, Files]>([
    ['Node.js', { 'opt/app/node_modules/a/package.json': LODASH }],
    ['Python', { 'opt/app/venv/a-1.0.dist-info/METADATA': METADATA }],
    [
      'Composer',
      { 'opt/app/vendor/composer/installed.json': JSON.stringify({ packages: COMPOSER }) },
    ],
    ['.NET', { 'usr/share/app/app.deps.json': '{"libraries":{"a/1.0.0":{"type":"package"}}}' }],
    ['Java', { 'usr/share/app/a.jar': mavenJar('a', 'a', '1.0') }],
  ])('packages of %s that a .deb of another maker has installed is not clean', async (_, files) => {
    const { verdict } = await judgedFiles(withPackage('ours', CORP, files));
    expect(verdict).toBe('unscannable');
  });

  it('packages below /opt that an .apk has installed is not clean', async () => {
    const { gaps } = await judgedFiles(withApk('opt/app/node_modules/a'));
    expect(gaps).toEqual(['files_unread']);
  });
});

describe('packages of Node.js that an .rpm has installed', () => {
  const path = 'usr/lib/node_modules/npm/package.json';
  const database = 'var/lib/rpm/rpmdb.sqlite';

  async function gapsOf(vendor: string, ...others: Files[]) {
    const rpm = { name: 'npm', version: '10.8', release: '1.el9', vendor, files: [`/${path}`] };
    const files: Files = {
      'etc/rocky-release': 'Rocky Linux release 9.4 (Blue Onyx)\n',
      'etc/os-release': 'ID="rocky"\nNAME="Rocky Linux"\nVERSION_ID="9.4"\n',
      [database]: await rpmDatabase([rpm]),
      [path]: LODASH,
    };
    return (await judgedFiles(files, ...others)).gaps;
  }

  // The database of the test has no advisories for Rocky Linux.
  it('are left to the distribution, or judged where another maker built it', async () => {
    expect(await gapsOf('Rocky Enterprise Software Foundation')).toEqual(['release_unknown']);
    expect(await gapsOf('Example Inc.')).toEqual(['release_unknown', 'third_party']);
  });

  it('are not those of a lower layer where the database of the last one cannot be read', async () => {
    const gaps = await gapsOf('Rocky Enterprise Software Foundation', { [database]: 'damaged' });
    expect(gaps).toEqual(['release_unknown', 'files_unread']);
  });
});

/** An image of layers that have links as well. */
async function withLinks(...layers: [Files, Links][]) {
  const archives = await Promise.all(layers.map(([files, links]) => tar(files, links)));
  return imageOfArchives(archives);
}

const TWIN = 'srv/node_modules/a/package.json';

describe('links', () => {
  it.each(['link', 'symlink'] as const)(
    'a package whose file is a %s to a store is not clean',
    async (type) => {
      const to = type === 'link' ? 'store/abc' : '../../../store/abc';
      const image = await withLinks([{ ...BASE, 'store/abc': LODASH }, { [PATH]: { type, to } }]);
      expect(await judged(image)).toEqual({ verdict: 'unscannable', gaps: ['database_unread'] });
    },
  );

  it('a hard link to a package is judged with it', async () => {
    const twin: Links = { [TWIN]: { type: 'link', to: PATH } };
    const image = await withLinks([{ ...BASE, [PATH]: LODASH }, twin]);
    expect((await judged(image)).verdict).toBe('clean');
  });

  it('but not where a later layer removes the name that Trivy reads', async () => {
    const twin: Links = { [TWIN]: { type: 'link', to: PATH } };
    const layer: [Files, Links] = [{ ...BASE, [PATH]: LODASH }, twin];
    const image = await withLinks(layer, [{ 'app/.wh.node_modules': '' }, {}]);
    expect(await judged(image)).toEqual({ verdict: 'unscannable', gaps: ['files_unread'] });
  });

  it('a release file that is a link names what it leads to', async () => {
    const { 'etc/os-release': own = '', ...files } = BASE;
    const link: Links = { 'etc/os-release': { type: 'symlink', to: '../usr/lib/os-release' } };
    const image = async (text: string) =>
      withLinks([{ ...files, 'usr/lib/os-release': text }, link]);
    expect((await judged(await image(String(own)))).verdict).toBe('clean');
    expect((await judged(await image(release('devuan')))).gaps).toEqual(['os_derived']);
  });
});

describe('an ordinary image stays clean with', () => {
  it.each(ORDINARY)('%s', async (_, layers) => {
    expect(await judgedFiles(...layers)).toEqual({ verdict: 'clean', gaps: [] });
  });
});

it('an ordinary image stays clean with the packages that this repository has installed', async () => {
  const cwd = join(import.meta.dirname, '../../../../node_modules/.pnpm');
  // With those in their folders, which often name a kind of module alone.
  const names = globSync('*/node_modules/{*,@*/*}/{,*/,*/*/}package.json', { cwd });
  const files = await Promise.all(
    names.map(async (name) => [`app/node_modules/.pnpm/${name}`, await readFile(join(cwd, name))]),
  );
  expect(files.length).toBeGreaterThan(500);
  const { gaps } = await judgedFiles({ ...BASE, ...Object.fromEntries(files) });
  expect(gaps).toEqual([]);
});

it('a policy may accept archives that are not known, as packages of third parties', async () => {
  const image = await buildImage({ layers: [{ ...BASE, 'app/ours.jar': CODE }] });
  expect((await judged(image, { thirdParty: 'accept' })).verdict).toBe('clean');
  const damaged = await buildImage({ layers: [{ ...BASE, 'app/ours.jar': 'x' }] });
  expect((await judged(damaged, { thirdParty: 'accept' })).verdict).toBe('unscannable');
});
