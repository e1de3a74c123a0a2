/**
 * The files from which Trivy learns of installed packages, by the names that its analyzers ask for
 * (Trivy 0.74.0, pkg/fanal/analyzer/language). It says at debug level alone that it could not parse
 * one, so each of them has to appear in its report. Not in the table: programs of Go and Rust,
 * which no name tells, and lock files, which say what a build would install.
 */

/** As Trivy names the packages that the file is of. */
export type PackageFileKind =
  | 'node-pkg'
  | 'python-pkg'
  | 'python-egg'
  | 'gemspec'
  | 'composer-vendor'
  | 'conda-pkg'
  | 'dotnet-core'
  | 'jar'
  | 'sbom'
  | 'rpm';

/** Endings of all names in the table: most names of a layer have none of them. */
const HINT =
  /(?:json|rpm\/(?:Packages(?:\.db)?|rpmdb\.sqlite)|\.spdx|\.cdx|METADATA|PKG-INFO|\.egg(?:-info)?|\.gemspec|\.[jwep]ar)$/i;

/** More than Trivy's where it passes over an installed package: the base environment of Conda. */
const NAMES: readonly (readonly [kind: PackageFileKind, name: RegExp])[] = [
  ['node-pkg', /(?:^|\/)package\.json$/],
  ['python-pkg', /\.dist-info\/(?:.+\/)?METADATA$/],
  ['python-pkg', /(?:EGG-INFO\/PKG-INFO|\.egg-info(?:\/(?:PKG-INFO|METADATA))?)$/],
  ['python-egg', /\.egg$/],
  ['gemspec', /(?:^|\/)specifications\/.+\.gemspec$/],
  ['composer-vendor', /(?:^|\/)installed\.json$/],
  ['conda-pkg', /(?:^|\/)conda-meta\/[^/]+\.json$/],
  ['dotnet-core', /\.deps\.json$/],
  ['jar', /\.(?:jar|war|ear|par)$/i],
  // Where Trivy cannot read one, the list of an earlier layer counts.
  [
    'rpm',
    /^(?:(?:usr\/lib\/sysimage|var\/lib)\/rpm\/(?:Packages(?:\.db)?|rpmdb\.sqlite)|usr\/share\/rpm\/rpmdb\.sqlite)$/,
  ],
  ['sbom', /^(?!.*\.dist-info\/sboms\/).*\.(?:spdx|cdx)(?:\.json)?$/],
];

/** Null for a file that tells of no packages. */
export function packageFileKind(path: string): PackageFileKind | null {
  if (!HINT.test(path)) return null;
  return NAMES.find(([, name]) => name.test(path))?.[0] ?? null;
}

/**
 * Parts of the runtime and of frameworks that no index knows, and that are judged by, or like, what
 * they are beside: of a JDK, of Tomcat (by `lib/catalina.jar`), and what Quarkus generates.
 */
const PARTS =
  /(?:^|\/)(?:jre\/lib\/.+|lib\/(?:jrt-fs|tools|dt|jconsole|sa-jdi)|bin\/bootstrap|quarkus\/(?:generated|transformed)-bytecode)\.jar$/;

export function isPartOfRuntime(path: string): boolean {
  return PARTS.test(path);
}

const AROUND = /ar\//i;

/** The archives that a path within archives is in, from the outermost. */
export function archivesAround(path: string): string[] {
  if (!AROUND.test(path)) return [];
  return [...path.matchAll(/\.(?:jar|war|ear|par)(?=\/)/gi)].map(({ index, 0: ending }) =>
    path.slice(0, index + ending.length),
  );
}
