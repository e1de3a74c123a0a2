/**
 * The types of packages that Trivy compares with advisories, by the prefix of their buckets in its
 * database (Trivy 0.74.0, pkg/detector/library/driver.go). Trivy lists packages of other types,
 * too, of Conda for example, and finds nothing in them: a type that is missing here counts as not
 * judged.
 */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    rubygems: ['bundler', 'gemspec'],
    cargo: ['rustbinary', 'cargo'],
    composer: ['composer', 'composer-vendor'],
    go: ['gobinary', 'gomod'],
    maven: ['jar', 'pom', 'gradle', 'sbt'],
    npm: ['npm', 'yarn', 'pnpm', 'bun', 'node-pkg', 'javascript'],
    nuget: ['nuget', 'dotnet-core', 'packages-props'],
    pip: ['pipenv', 'poetry', 'pip', 'python-pkg', 'uv', 'pylock'],
    pub: ['pub'],
    erlang: ['hex'],
    conan: ['conan'],
    swift: ['swift'],
    cocoapods: ['cocoapods'],
    bitnami: ['bitnami'],
    k8s: ['kubernetes'],
    julia: ['julia'],
  }).flatMap(([ecosystem, types]) => types.map((type) => [type, ecosystem] as const)),
);

export const KNOWN_ECOSYSTEMS: ReadonlySet<string> = new Set(ECOSYSTEMS.values());

export const JUDGED_TYPES: ReadonlySet<string> = new Set(ECOSYSTEMS.keys());

/** Null where packages of this type are not compared with advisories. */
export function ecosystemOf(type: string): string | null {
  return ECOSYSTEMS.get(type) ?? null;
}
