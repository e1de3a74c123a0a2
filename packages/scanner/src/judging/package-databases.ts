/**
 * Package databases by the names of their files. Trivy reads those of dpkg, apk and RPM in the root
 * of an image, and packages of some languages; it passes over all others in silence. The name of a
 * file tells that packages are there which no advisories were compared with.
 */

import { cleanPath, hiddenBy } from '../layers/layer-paths.ts';

/** A package database of a layer. */
export interface PackageDatabase {
  /** What keeps it, such as `pacman`. */
  system: string;
  /** The directory or file that has to be removed to remove all of it. Empty: too many to name. */
  root: string;
  /** One of its files. */
  path: string;
}

/** The databases of a layer, and what the layer removes of those below it. */
export interface LayerDatabases {
  databases: PackageDatabase[];
  /** Paths that whiteouts hide (OCI image spec, layer.md). */
  removed: string[];
}

interface Rule {
  system: string;
  /** Found in each name that the pattern matches: it makes the search fast. */
  hint: string;
  /** The first group is the root of the database. */
  pattern: RegExp;
}

const rule = (system: string, hint: string, pattern: RegExp): Rule => ({ system, hint, pattern });

/** What Trivy reads, but only where the database is in the root and belongs to the system. */
const READ_IN_ROOT = [
  rule('dpkg', 'var/lib/dpkg/', /^((?:.*\/)?var\/lib\/dpkg)\/status(?:\.d\/[^/]+)?$/),
  rule('apk', 'lib/apk/db/', /^((?:.*\/)?lib\/apk\/db)\/installed$/),
  rule(
    'RPM',
    'rpm',
    /^((?:.*\/)?(?:var\/lib|usr\/lib\/sysimage|usr\/share)\/rpm)\/(?:Packages(?:\.db)?|rpmdb\.sqlite)$/,
  ),
];

const IN_ROOT: Readonly<Record<string, RegExp>> = {
  dpkg: /^var\/lib\/dpkg$/,
  apk: /^(?:usr\/)?lib\/apk\/db$/,
  RPM: /^(?:var\/lib|usr\/lib\/sysimage|usr\/share)\/rpm$/,
};

/** Of operating systems and of package managers that are added to one. */
const SYSTEMS = [
  rule('pacman', 'lib/pacman/local/', /^((?:.*\/)?lib\/pacman\/local)\/[^/]+\/desc$/),
  rule('Portage', 'var/db/pkg/', /^((?:.*\/)?var\/db\/pkg)\/[^/]+\/[^/]+\/(?:PF|CONTENTS)$/),
  rule('opkg', 'lib/opkg/', /^((?:.*\/)?lib\/opkg)\/(?:status|info\/[^/]+\.control)$/),
  rule('Slackware', 'packages/', /^((?:.*\/)?var\/(?:log|lib\/pkgtools)\/packages)\/[^/]+-[^/]+$/),
  rule('XBPS', 'var/db/xbps/', /^((?:.*\/)?var\/db\/xbps)\/pkgdb-[^/]+\.plist$/),
  rule('eopkg', 'lib/eopkg/', /^((?:.*\/)?var\/lib\/eopkg\/package)\/[^/]+\/metadata\.xml$/),
  rule('swupd', 'share/clear/bundles/', /^((?:.*\/)?usr\/share\/clear\/bundles)\/[^/]+$/),
  rule('FreeBSD pkg', 'var/db/pkg/', /^((?:.*\/)?var\/db\/pkg)\/local\.sqlite$/),
  rule('pkgsrc', '/+CONTENTS', /^((?:.*\/)?(?:var\/db\/pkg|pkgdb))\/[^/]+\/\+CONTENTS$/),
  rule('CRUX', 'var/lib/pkg/', /^((?:.*\/)?var\/lib\/pkg)\/db$/),
  rule('Paludis', 'var/db/paludis/', /^((?:.*\/)?var\/db\/paludis\/repositories)\/[^/]+\/./),
  rule('Tiny Core', 'tce.installed/', /^((?:.*\/)?usr\/local\/tce\.installed)\/[^/]+$/),
  rule('KISS', 'kiss/installed/', /^((?:.*\/)?var\/db\/kiss\/installed)\/[^/]+\/version$/),
  rule('Nix', 'nix/store/', /^((?:.*\/)?nix\/store)\/[a-z0-9]{32}-/),
  rule('Guix', 'gnu/store/', /^((?:.*\/)?gnu\/store)\/[a-z0-9]{32}-/),
  rule('Homebrew', 'Cellar/', /^((?:.*\/)?Cellar)\/[^/]+\/[^/]+\/INSTALL_RECEIPT\.json$/),
  rule('snap', 'snap', /^((?:.*\/)?var\/lib\/snapd\/snaps)\/[^/]+\.snap$/),
  rule('snap', 'meta/snap.yaml', /^((?:.*\/)?snap\/[^/]+)\/[^/]+\/meta\/snap\.yaml$/),
  rule('Flatpak', 'flatpak/', /^((?:.*\/)?(?:lib|share)\/flatpak\/(?:app|runtime))\/[^/]+\/./),
  rule('vcpkg', 'vcpkg/', /^((?:.*\/)?vcpkg)\/(?:status|updates\/[^/]+|info\/[^/]+\.list)$/),
  rule('Spack', '.spack-db/', /^((?:.*\/)?\.spack-db)\/index\.[\w.]+$/),
];

/**
 * Of languages. What the packages of a distribution install is judged with them, so for some only
 * the places are named where a distribution installs nothing.
 */
const LANGUAGES = [
  rule(
    'R',
    '/DESCRIPTION',
    /^((?:.*\/)?usr\/local\/lib\/R\/(?:site-)?library)\/[^/]+\/DESCRIPTION$/,
  ),
  rule('R', '/DESCRIPTION', /^((?:.*\/)?R\/[\w-]+-library\/[^/]+)\/[^/]+\/DESCRIPTION$/),
  rule('CPAN', '.packlist', /^(?=.+\/\.packlist$)((?:.*\/)?auto)\/.+\//),
  rule('CPAN', '/.meta/', /^((?:.*\/)?\.meta)\/[^/]+\/(?:install|MYMETA)\.json$/),
  rule('LuaRocks', '.rockspec', /^((?:.*\/)?luarocks\/rocks[^/]*)\/[^/]+\/[^/]+\/[^/]+\.rockspec$/),
  rule('PECL', 'pecl.php.net/', /^((?:.*\/)?\.channel\.pecl\.php\.net)\/[^/]+\.reg$/),
  rule('Cabal', '.conf', /^(?=.+\.conf$)((?:.*\/)?\.cabal\/(?:store|packages))\/./),
  rule('opam', '.opam-switch/', /^((?:.*\/)?\.opam-switch\/packages)\/[^/]+\/opam$/),
  rule('Erlang/OTP', '/ebin/', /^((?!usr\/lib)[^/].*?)\/(?=[^/]+?-\d)[^/]+\/ebin\/[^/]+\.app$/),
  rule('Dart pub', '.pub-cache/', /^((?:.*\/)?\.pub-cache\/(?:hosted|git))\/.+\/pubspec\.yaml$/),
  rule("Yarn Plug'n'Play", '.yarn/cache/', /^((?:.*\/)?\.yarn\/cache)\/[^/]+\.zip$/),
  rule('Bower', 'bower_components/', /^((?:.*\/)?bower_components)\/[^/]+\/\.?bower\.json$/),
  rule('Bundler (Git)', 'bundler/gems/', /^((?:.*\/)?bundler\/gems)\/[^/]+\/[^/]+\.gemspec$/),
  rule('PEX', '.pex', /^(.+\.pex)$/),
  rule('Python zip application', '.pyz', /^(.+\.pyzw?)$/),
  rule('WordPress', 'wp-includes/', /^((?:.*\/)?wp-includes)\/version\.php$/),
  rule('Jenkins', '.hpi', /^(.+\.hpi)$/),
  rule('Jenkins', '.jpi', /^(.+\.jpi)$/),
  rule('NiFi', '.nar', /^(.+\.nar)$/),
  rule('Karaf', '.kar', /^(.+\.kar)$/),
];

const RULES = [...READ_IN_ROOT, ...SYSTEMS, ...LANGUAGES];

/** Bound on the databases of one system in one layer. */
const MAX_DATABASES = 64;
const MAX_REMOVED = 1_000;
/** In characters; a tar archive allows a megabyte. */
const MAX_PATH = 1_024;

export interface DatabaseSearch {
  /**
   * @param name A name in the layer's archive.
   * @param linkTo The path that has its content, for a hard or symbolic link.
   */
  add(name: string, linkTo?: string | null): void;
  found(): LayerDatabases;
}

export function searchDatabases(): DatabaseSearch {
  const bySystem = new Map<string, Map<string, PackageDatabase>>();
  const removed = new Set<string>();
  const keep = (database: PackageDatabase) => {
    const known = bySystem.get(database.system) ?? new Map<string, PackageDatabase>();
    bySystem.set(database.system, known);
    const root = known.size < MAX_DATABASES ? database.root : '';
    if (!known.has(root) && !known.has('')) known.set(root, { ...database, root });
  };
  return {
    add(name, linkTo = null) {
      if (name.length > MAX_PATH) return;
      const path = cleanPath(name);
      const hidden = hiddenBy(path);
      if (linkTo !== null && isUnreadLink(path, linkTo)) keep({ system: LINKS, root: path, path });
      if (hidden !== null && removed.size < MAX_REMOVED) removed.add(hidden);
      for (const database of hidden === null ? databasesAt(path) : []) keep(database);
    },
    found: () => ({
      databases: [...bySystem.values()].flatMap((known) => [...known.values()]),
      removed: [...removed],
    }),
  };
}

const LINKS = 'linked files';

/** What names packages, by the names of files that Trivy reads. */
const READ_BY_NAME =
  /(?:^|\/)(?:var\/lib\/dpkg\/status(?:\.d\/[^/]+)?|lib\/apk\/db\/installed|node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json|[^/]+\.(?:dist|egg)-info\/(?:METADATA|PKG-INFO)|[^/]+\.(?:dist|egg)-info|specifications\/[^/]+\.gemspec|vendor\/composer\/installed\.json|[^/]+\.deps\.json|[^/]+\.(?:jar|war|ear|par))$/;

/**
 * Trivy reads no links: it knows the content by the other name alone. That of a store of pnpm, or
 * of OSTree, tells it nothing.
 */
function isUnreadLink(path: string, linkTo: string): boolean {
  return READ_BY_NAME.test(path) && !READ_BY_NAME.test(cleanPath(linkTo));
}

function databasesAt(path: string): PackageDatabase[] {
  return RULES.flatMap(({ system, hint, pattern }) => {
    const root = path.includes(hint) ? pattern.exec(path)?.[1] : undefined;
    return root === undefined ? [] : [{ system, root, path }];
  });
}

/** The databases that remain after all layers are applied, from the base layer up. */
export function applyLayers(layers: readonly LayerDatabases[]): PackageDatabase[] {
  return layers.reduce<PackageDatabase[]>(
    (below, { databases, removed }) => [
      ...below.filter(({ root }) => !removed.some((path) => hides(path, root))),
      ...databases,
    ],
    [],
  );
}

/** A database of which a part is removed is still there. */
function hides(removed: string, root: string): boolean {
  return root === removed || root.startsWith(`${removed}/`);
}

const APK = new Set(['alpine', 'wolfi', 'chainguard', 'minimos']);
const DPKG = new Set(['debian', 'ubuntu', 'echo', 'activestate']);

/** Which database in the root Trivy takes for that of the operating system. */
function systemOf(family: string): string {
  if (APK.has(family)) return 'apk';
  return DPKG.has(family) ? 'dpkg' : 'RPM';
}

/**
 * Those whose packages Trivy did not judge.
 *
 * @param family The operating system that Trivy recognised; null where it recognised none, and the
 * packages in the root are not judged for that reason.
 */
export function unreadDatabases(
  found: readonly PackageDatabase[],
  family: string | null,
): PackageDatabase[] {
  return found.filter(({ system, root }) => {
    if (!IN_ROOT[system]?.test(root)) return true;
    return family !== null && system !== systemOf(family);
  });
}
