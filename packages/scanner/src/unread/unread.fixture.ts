/** Images for tests of what Trivy passes over, and images that are judged completely. */
import { alpineFiles, debianFiles, type Files, jar, mavenJar } from '@portcullis/testing';

const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];
export const BASE = debianFiles(CLEAN);

/** Debian with one more package, which has installed these files. */
export function withPackage(name: string, maintainer: string, files: Files): Files {
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
export const LODASH = npm('lodash-of-ours');
export const METADATA = 'Metadata-Version: 2.1\nName: requests-of-ours\nVersion: 1.0\n';
export const COMPOSER = [{ name: 'acme/acme', version: '6.0.0', version_normalized: '6.0.0.0' }];
export const CODE = jar({ 'org/apache/logging/log4j/core/lookup/JndiLookup.class': 'x' });
const DOKO = 'Matthias Klose <doko@debian.org>';
export const CORP = 'The operators <ops@example.com>';
export const release = (id: string) => `ID=${id}\nNAME="Some GNU/Linux"\nVERSION_ID="12"\n`;

export const UNREAD: [string, Files[], string][] = [
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

/** Alpine with one package, which has installed a package of npm in this directory. */
export function withApk(directory: string): Files {
  const files = alpineFiles([{ name: 'tzdata', version: '2024a-r0' }]);
  const installed = `${String(files['lib/apk/db/installed']).trimEnd()}\nF:${directory}\nR:package.json\n\n`;
  return { ...files, 'lib/apk/db/installed': installed, [`${directory}/package.json`]: LODASH };
}

export const PATH = 'app/node_modules/a/package.json';
const PYTHON = 'usr/lib/python3/dist-packages/a-1.0.dist-info/METADATA';

export const ORDINARY: [string, Files[]][] = [
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
