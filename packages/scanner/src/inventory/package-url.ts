/**
 * Package URLs (https://github.com/package-url/purl-spec) of listed packages, as Trivy writes them
 * (Trivy 0.74.0, pkg/purl/purl.go). Null for a type that has none: such a package is named by its
 * name and version alone.
 */
import type { ListedPackage } from './applied-layers.ts';

interface System {
  family: string;
  name: string;
}

type Identified = Pick<ListedPackage, 'type' | 'name' | 'version'>;

const SYSTEMS: Readonly<Record<string, string>> = {
  ...group('deb', 'debian', 'ubuntu', 'echo'),
  ...group('apk', 'alpine', 'wolfi', 'chainguard', 'minimos'),
  ...group('rpm', 'alma', 'amazon', 'azurelinux', 'cbl-mariner', 'centos', 'fedora', 'oracle'),
  ...group('rpm', 'photon', 'redhat', 'rocky'),
};
const ECOSYSTEMS: Readonly<Record<string, string>> = {
  ...group('npm', 'npm', 'node-pkg', 'yarn', 'pnpm', 'bun'),
  ...group('pypi', 'python-pkg', 'pip', 'pipenv', 'poetry', 'uv', 'pylock'),
  ...group('maven', 'jar', 'pom', 'gradle', 'sbt'),
  ...group('golang', 'gobinary', 'gomod'),
  ...group('gem', 'gemspec', 'bundler'),
  ...group('cargo', 'cargo', 'rustbinary'),
  ...group('composer', 'composer', 'composer-vendor'),
  ...group('nuget', 'nuget', 'dotnet-core', 'packages-props'),
  ...group('conda', 'conda-pkg', 'conda-environment'),
};

function group(type: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

export function packageUrl({ type, name, version }: Identified, os: System | null): string | null {
  const system = os?.family === type ? SYSTEMS[type] : undefined;
  if (system && os) return ofSystem(system, os, { name, version });
  const ecosystem = ECOSYSTEMS[type];
  if (!ecosystem) return null;
  const path = pathOf(ecosystem, name).map(encode).join('/');
  return `pkg:${ecosystem}/${path}${versionPart(version)}`;
}

const EPOCH = /^(\d+):/;
function ofSystem(
  type: string,
  { family, name: release }: System,
  { name, version }: Pick<ListedPackage, 'name' | 'version'>,
): string {
  const epoch = EPOCH.exec(version)?.[1];
  const bare = version.replace(EPOCH, '');
  const distro = type === 'apk' ? release : `${family}-${release}`;
  const qualifiers = [
    ...(release === '' ? [] : [`distro=${encode(distro)}`]),
    ...(epoch === undefined ? [] : [`epoch=${epoch}`]),
  ];
  const path = `${encode(family)}/${encode(type === 'apk' ? name.toLowerCase() : name)}`;
  const more = qualifiers.length > 0 ? `?${qualifiers.join('&')}` : '';
  return `pkg:${type}/${path}${versionPart(bare)}${more}`;
}

/** Namespace and name. */
function pathOf(type: string, name: string): string[] {
  switch (type) {
    case 'maven':
      return splitAtLast(name, ':');
    case 'golang':
    case 'npm':
      return name.toLowerCase().split('/');
    case 'composer':
      return name.split('/');
    case 'pypi':
      return [name.toLowerCase().replaceAll('_', '-')];
    default:
      return [name];
  }
}

function splitAtLast(name: string, separator: string): string[] {
  const at = name.lastIndexOf(separator);
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
}

function versionPart(version: string): string {
  return version === '' ? '' : `@${encode(version)}`;
}

/** A colon stays as it is, as in Trivy's. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
