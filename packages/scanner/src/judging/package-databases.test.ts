import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyLayers, searchDatabases, unreadDatabases } from './package-databases.ts';

/** One file of each kind of database that Trivy doesn't read. */
const UNREAD: readonly (readonly [system: string, path: string])[] = [
  ['pacman', 'var/lib/pacman/local/openssl-3.0.0-1/desc'],
  ['Portage', 'var/db/pkg/dev-libs/openssl-3.0.0/PF'],
  ['opkg', 'usr/lib/opkg/status'],
  ['opkg', 'opt/lib/opkg/info/openssl.control'],
  ['Slackware', 'var/log/packages/openssl-3.0.0-x86_64-1'],
  ['Slackware', 'var/lib/pkgtools/packages/openssl-3.0.0-x86_64-1'],
  ['XBPS', 'var/db/xbps/pkgdb-0.38.plist'],
  ['eopkg', 'var/lib/eopkg/package/openssl-3.0.0-1-x86_64/metadata.xml'],
  ['swupd', 'usr/share/clear/bundles/openssl'],
  ['FreeBSD pkg', 'var/db/pkg/local.sqlite'],
  ['pkgsrc', 'usr/pkg/pkgdb/openssl-3.0.0/+CONTENTS'],
  ['pkgsrc', 'var/db/pkg/openssl-3.0.0/+CONTENTS'],
  ['CRUX', 'var/lib/pkg/db'],
  ['Paludis', 'var/db/paludis/repositories/installed/data/dev-libs---openssl/3.0.0/SLOT'],
  ['Tiny Core', 'usr/local/tce.installed/openssl'],
  ['KISS', 'var/db/kiss/installed/openssl/version'],
  ['Nix', 'nix/store/0c0ysdhqwrvjqkhd4vnr7bcyrnb7sd8b-openssl-3.0.0/lib/libssl.so'],
  ['Guix', 'gnu/store/0c0ysdhqwrvjqkhd4vnr7bcyrnb7sd8b-openssl-3.0.0/lib/libssl.so'],
  ['Homebrew', 'home/linuxbrew/.linuxbrew/Cellar/openssl@3/3.0.0/INSTALL_RECEIPT.json'],
  ['snap', 'var/lib/snapd/snaps/core22_1.snap'],
  ['snap', 'snap/chromium/1/meta/snap.yaml'],
  ['Flatpak', 'var/lib/flatpak/app/org.example.App/current/active/metadata'],
  ['vcpkg', 'opt/app/vcpkg_installed/vcpkg/status'],
  ['vcpkg', 'opt/vcpkg/installed/vcpkg/info/openssl_3.0.0_x64-linux.list'],
  ['Spack', 'opt/spack/.spack-db/index.json'],
  ['R', 'usr/local/lib/R/site-library/openssl/DESCRIPTION'],
  ['R', 'root/R/x86_64-pc-linux-gnu-library/4.3/openssl/DESCRIPTION'],
  ['CPAN', 'usr/local/lib/perl5/site_perl/5.38.0/x86_64-linux/auto/Net/SSLeay/.packlist'],
  ['LuaRocks', 'usr/local/lib/luarocks/rocks-5.1/luasec/1.0-1/luasec-1.0-1.rockspec'],
  ['PECL', 'usr/local/lib/php/.registry/.channel.pecl.php.net/redis.reg'],
  ['Cabal', 'root/.cabal/store/ghc-9.4.7/package.db/tls-1.0.conf'],
  ['opam', 'home/opam/.opam/4.14/.opam-switch/packages/tls.0.17.0/opam'],
  ['Erlang/OTP', 'app/lib/phoenix-1.6.0/ebin/phoenix.app'],
  ['Erlang/OTP', 'opt/rabbitmq/plugins/rabbit-3.12.0/ebin/rabbit.app'],
  ['Dart pub', 'root/.pub-cache/hosted/pub.dev/http-0.13.0/pubspec.yaml'],
  ["Yarn Plug'n'Play", 'app/.yarn/cache/lodash-npm-4.17.10-a.zip'],
  ['Bower', 'srv/bower_components/jquery/.bower.json'],
  ['Bundler (Git)', 'usr/local/bundle/ruby/3.2.0/bundler/gems/rails-0a/rails.gemspec'],
  ['PEX', 'app/server.pex'],
  ['Python zip application', 'app/server.pyz'],
  ['WordPress', 'var/www/html/wp-includes/version.php'],
  ['Jenkins', 'usr/share/jenkins/ref/plugins/git.jpi'],
  ['NiFi', 'opt/nifi/lib/nifi-standard-nar-1.0.nar'],
  ['Karaf', 'opt/karaf/deploy/app.kar'],
  // The databases that Trivy reads, in the root of another file system than the image's.
  ['dpkg', 'opt/rootfs/var/lib/dpkg/status'],
  ['dpkg', 'opt/rootfs/var/lib/dpkg/status.d/base'],
  ['apk', 'srv/alpine/lib/apk/db/installed'],
  ['RPM', 'mnt/sysimage/var/lib/rpm/rpmdb.sqlite'],
];

/** What images have that are judged completely. */
const READ = [
  'usr/lib/python3/dist-packages/requests-2.0.dist-info/METADATA',
  'usr/local/lib/python3.12/ensurepip/_bundled/pip-24.0-py3-none-any.whl',
  'usr/lib/R/library/base/DESCRIPTION',
  'usr/lib/erlang/lib/kernel-8.5/ebin/kernel.app',
  'app/node_modules/lodash/package.json',
  'app/packages/lodash-es',
  'opt/vcpkg/README.md',
  'var/lib/dpkg/status-old',
  'var/lib/dpkg/info/openssl.list',
  'var/lib/rpm/.rpm.lock',
  'usr/share/doc/pacman/README',
];

function found(...names: string[]) {
  const search = searchDatabases();
  for (const name of names) search.add(name);
  return search.found();
}

const systems = (family: string | null, ...layers: string[][]) =>
  unreadDatabases(applyLayers(layers.map((names) => found(...names))), family).map(
    ({ system }) => system,
  );

describe('package databases', () => {
  it.each(UNREAD)('of %s are found by the file %s', (system, path) => {
    for (const name of [path, `./${path}`, `/${path}`])
      expect(systems('debian', [name])).toEqual([system]);
  });

  it('are not found in the files of packages that are judged', () => {
    expect(systems('debian', READ)).toEqual([]);
  });

  it.each([
    ['debian', 'var/lib/dpkg/status'],
    ['ubuntu', 'var/lib/dpkg/status.d/base'],
    ['alpine', 'lib/apk/db/installed'],
    ['wolfi', 'usr/lib/apk/db/installed'],
    ['rocky', 'var/lib/rpm/rpmdb.sqlite'],
    ['coreos', 'usr/share/rpm/rpmdb.sqlite'],
  ])('in the root that Trivy reads are those of its system, %s', (family, path) => {
    expect(systems(family, [path])).toEqual([]);
    expect(systems(family === 'alpine' ? 'debian' : 'alpine', [path])).toHaveLength(
      family === 'wolfi' ? 0 : 1,
    );
  });

  it('are gone where a later layer removes them whole', () => {
    const database = 'var/lib/pacman/local/a-1/desc';
    for (const whiteout of [
      'var/lib/pacman/.wh.local',
      'var/.wh.lib',
      '.wh.var',
      'var/lib/pacman/local/.wh..wh..opq',
    ])
      expect(systems('debian', [database], [`./${whiteout}`])).toEqual([]);
  });

  it.each([
    ['in the same layer', [['var/.wh.lib', 'var/lib/pacman/local/a-1/desc']]],
    ['of a part', [['var/lib/pacman/local/a-1/desc'], ['var/lib/pacman/local/.wh.a-1']]],
    ['of a neighbour', [['var/lib/pacman/local/a-1/desc'], ['var/lib/.wh.pac']]],
    ['below', [['var/.wh.lib'], ['var/lib/pacman/local/a-1/desc']]],
    [
      'of the root, which overlay file systems ignore',
      [['var/lib/pacman/local/a-1/desc'], ['.wh..wh..opq']],
    ],
    [
      'of no name',
      [['var/lib/pacman/local/a-1/desc'], ['var/lib/pacman/.wh.', 'var/lib/pacman/.wh..']],
    ],
  ])('stay after a removal %s', (_, layers) => {
    expect(systems('debian', ...layers)).toEqual(['pacman']);
  });

  it.each([
    'var//lib/pacman/local/a-1/desc',
    './/var/./lib/pacman/local/a-1/desc',
    '../var/x/../lib/pacman//local/a-1/desc',
  ])('are found by the path that engines make of the name %s', (name) => {
    expect(systems('debian', [name])).toEqual(['pacman']);
    expect(systems('debian', [name], ['var//lib/./.wh.pacman'])).toEqual([]);
  });

  it.each([
    ['app/node_modules/lodash/package.json', '.pnpm-store/v3/files/00/abc', true],
    ['./app/node_modules/@a/b/package.json', '.pnpm-store/v3/files/00/abc', true],
    ['app/lib/a.jar', 'sysroot/ostree/repo/objects/00/a.file', true],
    ['var/lib/dpkg/status.d/base', 'sysroot/ostree/repo/objects/00/a.file', true],
    ['app/node_modules/a/package.json', 'b/node_modules/a/package.json', false],
    ['app/node_modules/a/index.js', '.pnpm-store/v3/files/00/abc', false],
    ['usr/lib/python3/site-packages/a-1.dist-info', 'store/00', true],
    ['usr/lib/python3/site-packages/a-1.dist-info', 'cache/archive/a-1.dist-info', false],
  ])('are missed in the link %s to %s: %s', (name, linkTo, isMissed) => {
    const search = searchDatabases();
    search.add(name, linkTo);
    const missed = search.found().databases.filter((each) => each.system === 'linked files');
    expect(missed).toHaveLength(isMissed ? 1 : 0);
  });

  it('are bounded, and more than the bound cannot be removed one by one', () => {
    const many = Array.from({ length: 500 }, (_, n) => `opt/${n}.jpi`);
    const { databases } = found(...many);
    expect(databases).toHaveLength(65);
    const removed = many.map((path) => path.replace('/', '/.wh.'));
    expect(systems('debian', many, removed)).toEqual(['Jenkins']);
  });

  it('are searched in any name without a fault', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 1_100 }), { maxLength: 4 }),
        (names) => {
          expect(found(...names).removed.length).toBeLessThanOrEqual(1_000);
        },
      ),
      { numRuns: 50 },
    );
  });
});
