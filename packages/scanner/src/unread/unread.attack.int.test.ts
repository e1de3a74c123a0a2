/**
 * Files of packages that Trivy passes over in silence: an image with one of them is never clean.
 * What ordinary images have stays clean.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import { createLogger } from '@portcullis/runtime';
import {
  alpineFiles,
  buildArtifact,
  buildImage,
  debianFiles,
  type Files,
  jar,
  type Links,
  mavenJar,
  serveJavaDb,
  serveVulnerabilityDb,
  sha256,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  type TestServer,
  TRIVY_BUILD_MS,
  tar,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner, type Scanner } from '../index.ts';

const log = createLogger({ name: 'unread-attack', level: 'silent' });
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };
const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];
const BASE = debianFiles(CLEAN);

let registry: TestRegistry;
let redis: TestServer;
let data: TemporaryDir;
let scanner: Scanner;

beforeAll(async () => {
  const trivy = await testTrivy();
  [registry, redis, data] = await Promise.all([startRegistry(), startRedis(), temporaryDir()]);
  scanner = createScanner({ dataDir: data.path, redisUrl: redis.url, log, trivyPath: () => trivy });
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registry.url)] });
  await scanner.updateJavaIndex({ javaRepositories: [await serveJavaDb(registry.url)] });
}, TRIVY_BUILD_MS);

afterAll(async () => {
  await Promise.all([registry?.stop(), redis?.stop(), data?.remove()]);
});

async function scan(image: TestImage) {
  const layoutDir = join(data.path, 'cache', 'staging', crypto.randomUUID());
  await writeLayout(layoutDir, image);
  const targets = [{ digest: image.digest, platform: null }];
  return (await scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).report;
}

async function judged(image: TestImage, policy = {}) {
  const report = await scan(image);
  const { verdict } = judge(report, { ...DEFAULT_POLICY, ...policy }, NO_OVERRIDES);
  return { verdict, gaps: (report.gaps ?? []).map(({ kind }) => kind) };
}

const judgedFiles = async (...layers: Files[]) => judged(await buildImage({ layers }));

/** Debian with one more package, which has installed these files. */
function withPackage(name: string, maintainer: string, files: Files): Files {
  const stanza = `Package: ${name}\nStatus: install ok installed\nMaintainer: ${maintainer}\nArchitecture: all\nVersion: 1.0-1\n`;
  const sums = Object.keys(files).map((path) => `d41d8cd98f00b204e9800998ecf8427e  ${path}\n`);
  return {
    ...BASE,
    ...files,
    'var/lib/dpkg/status': `${BASE['var/lib/dpkg/status']}\n${stanza}`,
    [`var/lib/dpkg/info/${name}.md5sums`]: sums.join(''),
  };
}

const npm = (name: string, version = '1.0.0') => JSON.stringify({ name, version });
const LODASH = npm('lodash-of-ours');
const METADATA = 'Metadata-Version: 2.1\nName: requests-of-ours\nVersion: 1.0\n';
const COMPOSER = [{ name: 'acme/acme', version: '6.0.0', version_normalized: '6.0.0.0' }];
const CODE = jar({ 'org/apache/logging/log4j/core/lookup/JndiLookup.class': 'x' });
const DOKO = 'Matthias Klose <doko@debian.org>';
const CORP = 'The operators <ops@example.com>';
const release = (id: string) => `ID=${id}\nNAME="Some GNU/Linux"\nVERSION_ID="12"\n`;

const UNREAD: [string, Files[], string][] = [
  [
    'installed.json of Composer 1',
    [{ 'app/vendor/composer/installed.json': JSON.stringify(COMPOSER) }],
    'files_unread',
  ],
  [
    'a damaged installed.json',
    [{ 'app/vendor/composer/installed.json': '{"packages": [' }],
    'files_unread',
  ],
  [
    'a package.json with a byte order mark',
    [{ 'app/node_modules/a/package.json': `\uFEFF${LODASH}` }],
    'files_unread',
  ],
  [
    'a name that Trivy refuses',
    [{ 'app/node_modules/lo~dash/package.json': npm('lo~dash') }],
    'files_unread',
  ],
  [
    'dependencies of another type',
    [{ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0","dependencies":[]}' }],
    'files_unread',
  ],
  [
    'a damaged package.json of an installed package',
    [{ 'app/node_modules/@a/b/package.json': '{"name"' }],
    'files_unread',
  ],
  [
    'METADATA that begins with an empty line',
    [{ 'usr/local/lib/python3.12/site-packages/a-1.0.dist-info/METADATA': `\n${METADATA}` }],
    'files_unread',
  ],
  [
    'METADATA without a version',
    [{ 'venv/a-1.0.dist-info/METADATA': 'Name: a\n' }],
    'files_unread',
  ],
  [
    'a gemspec without a name',
    [{ 'usr/local/lib/ruby/gems/3.3.0/specifications/a-1.gemspec': 'x' }],
    'files_unread',
  ],
  ['a damaged egg', [{ 'app/a-1.0.egg': 'PK\u0003\u0004broken' }], 'files_unread'],
  [
    'a deps.json with a byte order mark',
    [{ 'app/app.deps.json': '\uFEFF{"libraries":{"a/1.0.0":{"type":"package"}}}' }],
    'files_unread',
  ],
  [
    'a package of the base environment of Conda',
    [{ 'opt/conda/conda-meta/openssl-3.0.0-h1.json': npm('openssl') }],
    'files_unread',
  ],
  ['a damaged archive', [{ 'app/log4j-core-2.0.jar': 'PK\u0003\u0004broken' }], 'files_unread'],
  ['an archive of unknown code', [{ 'app/log4j.jar': CODE }], 'archives_unknown'],
  [
    'unknown code in an application',
    [{ 'app/app.jar': jar({ 'BOOT-INF/classes/A.class': 'x', 'BOOT-INF/lib/log4j.jar': CODE }) }],
    'archives_unknown',
  ],
  [
    'a package that a later layer replaces with one that is not read',
    [
      { 'app/node_modules/a/package.json': LODASH },
      { 'app/node_modules/a/package.json': `\uFEFF${npm('lodash-of-ours', '0.9.0')}` },
    ],
    'files_unread',
  ],
  ['Devuan', [{ 'etc/os-release': release('devuan') }], 'os_derived'],
  [
    'Raspbian, which is like Debian',
    [{ 'etc/os-release': `${release('raspbian')}ID_LIKE=debian\n` }],
    'os_derived',
  ],
  [
    'a derivative in a later layer',
    [{}, { 'usr/lib/os-release': release('"kali"') }],
    'os_derived',
  ],
  ['a release file without a name', [{ 'etc/os-release': 'NAME=x\n' }], 'os_derived'],
];

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

/** Alpine with one package, which has installed a package of npm in this directory. */
function withApk(directory: string): Files {
  const files = alpineFiles([{ name: 'tzdata', version: '2024a-r0' }]);
  const installed = `${String(files['lib/apk/db/installed']).trimEnd()}\nF:${directory}\nR:package.json\n\n`;
  return { ...files, 'lib/apk/db/installed': installed, [`${directory}/package.json`]: LODASH };
}

const TAR_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

/** An image of layers that have links as well. */
async function withLinks(...layers: [Files, Links][]) {
  const archives = await Promise.all(layers.map(([files, links]) => tar(files, links)));
  const rootfs = { type: 'layers', diff_ids: archives.map(sha256) };
  const config = JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs });
  return buildArtifact({
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      bytes: Buffer.from(config),
    },
    layers: archives.map((bytes) => ({ mediaType: TAR_LAYER, bytes: gzipSync(bytes) })),
  });
}

const PATH = 'app/node_modules/a/package.json';
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

const PYTHON = 'usr/lib/python3/dist-packages/a-1.0.dist-info/METADATA';

const ORDINARY: [string, Files[]][] = [
  ['no release file', [{ ...BASE, 'etc/os-release': '' }, { 'etc/.wh.os-release': '' }]],
  [
    'packages that a .deb of Debian has installed',
    [withPackage('python3-a', DOKO, { [PYTHON]: METADATA })],
  ],
  [
    'packages that a .deb in a later layer has installed',
    [BASE, withPackage('python3-a', DOKO, { [PYTHON]: METADATA })],
  ],
  ['packages that an .apk has installed', [withApk('usr/lib/node_modules/npm')]],
  ['broken ones as well', [withPackage('python3-a', DOKO, { [PYTHON]: 'x' })]],
  [
    'packages of Node.js with files that name none',
    [
      {
        ...BASE,
        'app/package.json': '{"private":true}',
        'app/node_modules/a/package.json': LODASH,
        'app/node_modules/a/dist/package.json': '{"type":"module"}',
        'app/node_modules/a/test/broken/package.json': '{',
        'app/node_modules/a/test/invalid/package.json': '{"name":"invalid name"}',
        'app/node_modules/.package-lock.json': '{}',
        'app/templates/package.json': '{"name": {{ name }}}',
      },
    ],
  ],
  ['packages of Python', [{ ...BASE, [PYTHON]: METADATA, 'venv/b.egg-info/PKG-INFO': METADATA }]],
  [
    'gems',
    [
      {
        ...BASE,
        'usr/local/lib/ruby/gems/3.3.0/specifications/a-1.gemspec':
          'Gem::Specification.new do |s|\n  s.name = "a".freeze\n  s.version = "1.0"\nend\n',
        'usr/local/lib/ruby/gems/3.3.0/gems/a-1/a.gemspec': 'x',
      },
    ],
  ],
  [
    'an application of Spring Boot',
    [
      {
        ...BASE,
        'app/app.jar': jar({
          'org/springframework/boot/loader/Launcher.class': 'x',
          'BOOT-INF/classes/com/example/App.class': 'x',
          'BOOT-INF/lib/a-1.0.jar': mavenJar('a', 'a', '1.0'),
          'BOOT-INF/lib/b.jar': mavenJar('b', 'b', '2.0'),
        }),
        'opt/jdk/lib/jrt-fs.jar': jar({ 'jdk/internal/jrtfs/JrtPath.class': 'x' }),
        'app/a-sources.jar': jar({ 'a/A.java': 'x' }),
        'app/empty.jar': '',
      },
    ],
  ],
  [
    'what a later layer removes',
    [
      { ...BASE, 'app/node_modules/lo~dash/package.json': npm('lo~dash'), 'app/log4j.jar': CODE },
      { 'app/.wh.node_modules': '', 'app/.wh.log4j.jar': '' },
    ],
  ],
  [
    'what a later layer replaces with a file that is read',
    [
      { ...BASE, 'app/node_modules/a/package.json': `\uFEFF${LODASH}` },
      { 'app/node_modules/a/package.json': LODASH },
    ],
  ],
  ['the same file in two layers', [{ ...BASE, [PATH]: LODASH }, { [PATH]: LODASH }]],
  ['.NET', [{ ...BASE, 'app/app.deps.json': '{"libraries":{}}' }]],
];

describe('an ordinary image stays clean with', () => {
  it.each(ORDINARY)('%s', async (_, layers) => {
    expect(await judgedFiles(...layers)).toEqual({ verdict: 'clean', gaps: [] });
  });
});

it('an ordinary image stays clean with the packages that this repository has installed', async () => {
  const root = join(import.meta.dirname, '../../../../node_modules/.pnpm');
  const found = await readdir(root, { recursive: true });
  const names = found.filter((name) => basename(name) === 'package.json');
  const files = await Promise.all(
    names.map(async (name) => [`app/node_modules/.pnpm/${name}`, await readFile(join(root, name))]),
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
