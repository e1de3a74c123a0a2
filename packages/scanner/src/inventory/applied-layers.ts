/**
 * The packages of an image from Trivy's analyses of its layers, as Trivy itself applies them
 * (Trivy 0.74.0, pkg/fanal/applier/docker.go): a later layer replaces or removes the lists that
 * earlier ones had at the same path. All of it is done in steps: the author of an image decides how
 * many packages, lists and hidden paths its layers have.
 */
import type { Steps } from '@portcullis/oci';
import { z } from 'zod';

const text = z.string().nullish();
/** Its items are looked at one after the other. */
const list = z.custom<unknown[]>(Array.isArray).nullish();

/** Trivy's analysis of a layer; only the fields that are used. */
const Layer = z.object({
  OpaqueDirs: list,
  WhiteoutFiles: list,
  PackageInfos: list,
  Applications: list,
  /** Licences of Debian's packages are in separate files. */
  Licenses: list,
});
/** A package database of the system, or a list of an ecosystem, which has a type. */
const PackageList = z.object({ Type: text, FilePath: text, Packages: list });
const Package = z.object({
  Name: text,
  Version: text,
  Release: text,
  Epoch: z.number().nullish(),
  FilePath: text,
  Licenses: z.array(z.string()).nullish(),
});
type Package = z.infer<typeof Package>;
const License = z.object({
  Type: text,
  PkgName: text,
  Findings: z.array(z.object({ Name: text })).nullish(),
});

export interface ListedPackage {
  /** An ecosystem, as Trivy names it, or the family of the operating system. */
  type: string;
  name: string;
  version: string;
  licenses: string[];
  /** Where it was found; null for what the package manager of the system lists. */
  path: string | null;
  /** Digest of the layer that brought it. */
  layer: string;
}

interface AnalysedLayer {
  /** Its digest in the manifest. */
  digest: string;
  /** As Trivy wrote it. */
  analysis: unknown;
}

interface ListOptions {
  /** The family of the operating system. */
  os: string;
  /** How many packages all layers together may have. */
  most: number;
}

/**
 * @param layers from the base layer up
 * @returns null where they have more packages than `most`
 * @throws where an analysis is none
 */
export function* listedPackages(
  layers: readonly AnalysedLayer[],
  { os, most }: ListOptions,
): Steps<ListedPackage[] | null> {
  const image: AppliedLayers = { present: new Map(), licenses: new Map(), origins: new Map() };
  let room = most;
  let lists = 0;
  for (const { digest, analysis } of layers) {
    const layer = Layer.parse(analysis);
    yield* removeHidden(image, layer);
    yield* addLicenses(image, layer);
    for (const [stored, isSystem] of listsOf(layer)) {
      lists += 1;
      if (lists % AT_ONCE === 0) yield;
      const { Type, FilePath, Packages } = PackageList.parse(stored);
      room -= Packages?.length ?? 0;
      if (room < 0) return null;
      const type = isSystem ? null : (Type ?? '');
      yield* addSource(image, { type, path: FilePath ?? '', layer: digest }, Packages ?? []);
    }
  }
  return yield* merge(image, os);
}

function* listsOf({ PackageInfos, Applications }: z.infer<typeof Layer>) {
  for (const stored of PackageInfos ?? []) yield [stored, true] as const;
  for (const stored of Applications ?? []) yield [stored, false] as const;
}

interface AppliedLayers {
  /** By type and path. */
  present: Map<string, PackageSource>;
  /** By the name of a package of Debian. */
  licenses: Map<string, string[]>;
  /** The first layer whose package database has the package in this version. */
  origins: Map<string, string>;
}

interface PackageSource {
  /** Null for the package database of the system. */
  type: string | null;
  path: string;
  layer: string;
  packages: Package[];
}

const AT_ONCE = 100;

function* inSteps<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % AT_ONCE === 0) yield;
  }
}

function* removeHidden(
  { present }: AppliedLayers,
  { OpaqueDirs, WhiteoutFiles }: z.infer<typeof Layer>,
): Steps<void> {
  const hidden = new Set<string>();
  for (const paths of [OpaqueDirs, WhiteoutFiles])
    yield* inSteps(paths ?? [], (each) => hidden.add(z.string().parse(each).replace(/\/$/, '')));
  if (hidden.size === 0) return;
  yield* inSteps([...present], ([key, { path }]) => {
    if (isBelow(path, hidden)) present.delete(key);
  });
}

/** Whether the path itself or one of its directories is among them. */
function isBelow(path: string, hidden: ReadonlySet<string>): boolean {
  for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
    if (hidden.has(path.slice(0, end))) return true;
    if (end === 0) break;
  }
  return false;
}

function* addLicenses(
  { licenses }: AppliedLayers,
  { Licenses }: z.infer<typeof Layer>,
): Steps<void> {
  yield* inSteps(Licenses ?? [], (stored) => {
    const { Type, PkgName, Findings } = License.parse(stored);
    if (Type !== 'dpkg' || !PkgName) return;
    licenses.set(
      PkgName,
      (Findings ?? []).flatMap(({ Name }) => Name ?? []),
    );
  });
}

function* addSource(
  { present, origins }: AppliedLayers,
  source: Omit<PackageSource, 'packages'>,
  stored: readonly unknown[],
): Steps<void> {
  const { type, path, layer } = source;
  const packages: Package[] = [];
  yield* inSteps(stored, (each) => {
    const parsed = Package.parse(each);
    packages.push(parsed);
    if (type !== null) return;
    const key = keyOf(parsed);
    if (!origins.has(key)) origins.set(key, layer);
  });
  present.set(JSON.stringify([type, path]), { ...source, packages });
}

/** Each package once, in the order in which the lists name it. */
function* merge(image: AppliedLayers, os: string): Steps<ListedPackage[]> {
  const listed = new Map<string, ListedPackage>();
  for (const source of image.present.values())
    yield* inSteps(source.packages, (each) => {
      const found = listedAs(image, source, { each, os });
      if (!found) return;
      const { type, name, version, path } = found;
      listed.set(JSON.stringify([type, name, version, path]), found);
    });
  return [...listed.values()];
}

function listedAs(
  { licenses, origins }: AppliedLayers,
  { type, path, layer }: PackageSource,
  { each, os }: { each: Package; os: string },
): ListedPackage | null {
  const { Name: name, Licenses: stated } = each;
  if (!name) return null;
  const found = { name, version: versionOf(each), licenses: stated ?? [] };
  if (type !== null) return { ...found, type, path: each.FilePath || path || null, layer };
  const known = found.licenses.length > 0 ? found.licenses : (licenses.get(name) ?? []);
  const origin = origins.get(keyOf(each)) ?? layer;
  return { ...found, type: os, licenses: known, path: null, layer: origin };
}

function keyOf(each: Package): string {
  return JSON.stringify([each.Name, versionOf(each)]);
}

/** As reports name the installed version: `epoch:version-release`. */
function versionOf({ Epoch, Version, Release }: Package): string {
  if (!Version) return '';
  return `${Epoch ? `${Epoch}:` : ''}${Version}${Release ? `-${Release}` : ''}`;
}
