/**
 * The packages of an image from Trivy's analyses of its layers, as Trivy itself applies them
 * (Trivy 0.74.0, pkg/fanal/applier/docker.go): a later layer replaces or removes the lists that
 * earlier ones had at the same path.
 */
import { z } from 'zod';

const text = z.string().nullish();

const Package = z.object({
  Name: text,
  Version: text,
  Release: text,
  Epoch: z.number().nullish(),
  FilePath: text,
  Licenses: z.array(z.string()).nullish(),
});
type Package = z.infer<typeof Package>;

/** Trivy's analysis of a layer; only the fields that are used. */
export const PackageAnalysis = z.object({
  OpaqueDirs: z.array(z.string()).nullish(),
  WhiteoutFiles: z.array(z.string()).nullish(),
  PackageInfos: z
    .array(z.object({ FilePath: text, Packages: z.array(Package).nullish() }))
    .nullish(),
  Applications: z
    .array(z.object({ Type: z.string(), FilePath: text, Packages: z.array(Package).nullish() }))
    .nullish(),
  /** Licences of Debian's packages are in files of their own. */
  Licenses: z
    .array(
      z.object({
        Type: text,
        PkgName: text,
        Findings: z.array(z.object({ Name: text })).nullish(),
      }),
    )
    .nullish(),
});
export type PackageAnalysis = z.infer<typeof PackageAnalysis>;

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
  analysis: PackageAnalysis;
}

/** @param layers from the base layer up @param os the family of the operating system */
export function listedPackages(layers: readonly AnalysedLayer[], os: string): ListedPackage[] {
  const licenses = licensesOf(layers);
  const origins = originsOf(layers);
  const listed = appliedLists(layers).flatMap(({ type, path, layer, packages }) =>
    packages.flatMap((each) => {
      const { Name: name } = each;
      if (!name) return [];
      const version = versionOf(each);
      const found = { name, version, licenses: each.Licenses ?? [] };
      if (type !== null) return [{ ...found, type, path: each.FilePath || path || null, layer }];
      const known = found.licenses.length > 0 ? found.licenses : (licenses.get(name) ?? []);
      const origin = origins.get(keyOf(each)) ?? layer;
      return [{ ...found, type: os, licenses: known, path: null, layer: origin }];
    }),
  );
  const key = ({ type, name, version, path }: ListedPackage) =>
    JSON.stringify([type, name, version, path]);
  return [...new Map(listed.map((each) => [key(each), each])).values()];
}

/** A package database of the system, or a list of an ecosystem. */
interface PackageSource {
  /** Null for the operating system. */
  type: string | null;
  path: string;
  layer: string;
  packages: readonly Package[];
}

function appliedLists(layers: readonly AnalysedLayer[]): PackageSource[] {
  const present = new Map<string, PackageSource>();
  for (const { digest, analysis } of layers) {
    removeHidden(present, analysis);
    for (const each of sourcesOf(analysis))
      present.set(JSON.stringify([each.type, each.path]), { ...each, layer: digest });
  }
  return [...present.values()];
}

function sourcesOf({ PackageInfos, Applications }: PackageAnalysis) {
  const system = (PackageInfos ?? []).map((each) => ({ ...each, Type: null }));
  return [...system, ...(Applications ?? [])].map(({ Type, FilePath, Packages }) => ({
    type: Type,
    path: FilePath ?? '',
    packages: Packages ?? [],
  }));
}

function removeHidden(
  present: Map<string, PackageSource>,
  { OpaqueDirs, WhiteoutFiles }: PackageAnalysis,
): void {
  const hidden = new Set(
    [...(OpaqueDirs ?? []), ...(WhiteoutFiles ?? [])].map((each) => each.replace(/\/$/, '')),
  );
  if (hidden.size === 0) return;
  for (const [key, { path }] of present)
    if (pathsAbove(path).some((each) => hidden.has(each))) present.delete(key);
}

/** The path itself and its directories. */
function pathsAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The first layer whose package database has the package in this version. */
function originsOf(layers: readonly AnalysedLayer[]): Map<string, string> {
  const origins = new Map<string, string>();
  for (const { digest, analysis } of layers)
    for (const { Packages } of analysis.PackageInfos ?? [])
      for (const each of Packages ?? [])
        if (!origins.has(keyOf(each))) origins.set(keyOf(each), digest);
  return origins;
}

function licensesOf(layers: readonly AnalysedLayer[]): Map<string, string[]> {
  const licenses = new Map<string, string[]>();
  for (const { analysis } of layers)
    for (const { Type, PkgName, Findings } of analysis.Licenses ?? [])
      if (Type === 'dpkg' && PkgName)
        licenses.set(
          PkgName,
          (Findings ?? []).flatMap(({ Name }) => Name ?? []),
        );
  return licenses;
}

function keyOf(each: Package): string {
  return JSON.stringify([each.Name, versionOf(each)]);
}

/** As reports name the installed version: `epoch:version-release`. */
function versionOf({ Epoch, Version, Release }: Package): string {
  if (!Version) return '';
  return `${Epoch ? `${Epoch}:` : ''}${Version}${Release ? `-${Release}` : ''}`;
}
