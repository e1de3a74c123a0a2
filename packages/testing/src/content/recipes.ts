/**
 * Test images with packages that a scanner finds (see the docs of Trivy's analyzers), and OCI
 * artifacts other than images.
 */
import { gzipSync } from 'node:zlib';
import { goProgramFile } from './go-program.ts';
import { buildArtifact, buildImage, type ImageOptions, type TestImage } from './image.ts';
import { type Files, randomFiles, tar } from './tar.ts';

export interface TestPackage {
  name: string;
  version: string;
  /** The source package; defaults to the name. */
  source?: string;
}

type Rest = Omit<ImageOptions, 'layers'> & {
  /** Layers put on top. */
  more?: Files[];
};

/** By default openssl 3.0.11-1 and zlib1g on Debian 12.5. */
export function debianImage({
  packages = DEBIAN_PACKAGES,
  release = '12.5',
  more = [],
  ...rest
}: DebianImageOptions = {}): Promise<TestImage> {
  return buildImage({ ...rest, layers: [debianFiles(packages, release), ...more] });
}

export interface DebianImageOptions extends Rest {
  packages?: TestPackage[];
  release?: string;
}

const DEBIAN_PACKAGES: TestPackage[] = [
  { name: 'openssl', version: '3.0.11-1~deb12u1' },
  { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
];

export function debianFiles(packages: TestPackage[], release = '12.5'): Files {
  return {
    'etc/debian_version': `${release}\n`,
    'etc/os-release': `ID=debian\nVERSION_ID="${release.split('.')[0]}"\nPRETTY_NAME="Debian GNU/Linux ${release}"\n`,
    'var/lib/dpkg/status': packages.map(dpkgStanza).join('\n'),
  };
}

/** Ubuntu 24.04 with these packages. */
export function ubuntuFiles(packages: TestPackage[]): Files {
  return {
    'etc/lsb-release': 'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=24.04\nDISTRIB_CODENAME=noble\n',
    'etc/os-release': 'ID=ubuntu\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04.1 LTS"\n',
    'var/lib/dpkg/status': packages.map(dpkgStanza).join('\n'),
  };
}

function dpkgStanza({ name, version, source }: TestPackage): string {
  const lines = [
    `Package: ${name}`,
    'Status: install ok installed',
    'Maintainer: Debian Maintainers <debian@example.org>',
    'Architecture: amd64',
    ...(source ? [`Source: ${source}`] : []),
    `Version: ${version}`,
    `Description: ${name}`,
  ];
  return `${lines.join('\n')}\n`;
}

export interface AlpineOptions extends Rest {
  packages?: TestPackage[];
  release?: string;
}

/** By default musl and busybox on Alpine 3.22. */
export function alpineImage({
  packages = ALPINE_PACKAGES,
  release = '3.22.1',
  more = [],
  ...rest
}: AlpineOptions = {}): Promise<TestImage> {
  return buildImage({ ...rest, layers: [alpineFiles(packages, release), ...more] });
}

const ALPINE_PACKAGES: TestPackage[] = [
  { name: 'musl', version: '1.2.5-r10' },
  { name: 'busybox', version: '1.37.0-r18' },
];

export function alpineFiles(packages: TestPackage[], release = '3.22.1'): Files {
  return {
    'etc/alpine-release': `${release}\n`,
    'etc/os-release': `ID=alpine\nVERSION_ID=${release}\nPRETTY_NAME="Alpine Linux v${release}"\n`,
    'lib/apk/db/installed': `${packages.map(apkStanza).join('\n')}\n`,
  };
}

/** Without its origin (`o:`) a package is not looked up. */
function apkStanza({ name, version, source }: TestPackage): string {
  return `P:${name}\nV:${version}\nA:x86_64\no:${source ?? name}\nL:MIT\n`;
}

/** Installed npm packages without an operating system; by default lodash 4.17.10. */
export function npmImage({
  packages = NPM_PACKAGES,
  more = [],
  ...rest
}: NpmOptions = {}): Promise<TestImage> {
  return buildImage({ ...rest, layers: [npmFiles(packages), ...more] });
}

export interface NpmOptions extends Rest {
  packages?: TestPackage[];
}

const NPM_PACKAGES: TestPackage[] = [{ name: 'lodash', version: '4.17.10' }];

export function npmFiles(packages: TestPackage[]): Files {
  const files = packages.map(({ name, version }) => [
    `app/node_modules/${name}/package.json`,
    JSON.stringify({ name, version, license: 'MIT' }),
  ]);
  return Object.fromEntries(files);
}

/** Python packages as pip installs them. */
export function pythonFiles(packages: TestPackage[]): Files {
  const files = packages.map(({ name, version }) => [
    `usr/local/lib/python3.13/site-packages/${name}-${version}.dist-info/METADATA`,
    `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nLicense: MIT\n`,
  ]);
  return Object.fromEntries(files);
}

/** A Go program that contains these modules. */
export function goFiles(main: string, packages: TestPackage[]): Files {
  const modules = packages.map(({ name, version }) => ({ path: name, version }));
  return { 'usr/local/bin/app': goProgramFile('go1.26.3', main, modules) };
}

/** One file, no operating system, no packages. */
export function scratchImage(options: Omit<ImageOptions, 'layers'> = {}): Promise<TestImage> {
  return buildImage({ ...options, layers: [{ hello: 'hello from scratch\n' }] });
}

/** Layers of random bytes, not compressed: their size is that of the content plus two kilobytes. */
export function randomImage({
  layers = 1,
  bytes = 1024,
  ...rest
}: RandomOptions = {}): Promise<TestImage> {
  const contents = Array.from({ length: layers }, (_, position) =>
    randomFiles(bytes, `random-${position}.bin`),
  );
  return buildImage({ compression: 'none', ...rest, layers: contents });
}

export interface RandomOptions extends Omit<ImageOptions, 'layers'> {
  layers?: number;
  bytes?: number;
}

/** https://helm.sh/docs/topics/registries/: a chart is not an image, and no scanner covers it. */
export async function helmChart(name = 'demo', version = '1.0.0'): Promise<TestImage> {
  const meta = { apiVersion: 'v2', name, version, type: 'application' };
  const files = {
    [`${name}/Chart.yaml`]: JSON.stringify(meta),
    [`${name}/values.yaml`]: 'replicas: 1\n',
    [`${name}/templates/config.yaml`]:
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n',
  };
  const config = {
    mediaType: 'application/vnd.cncf.helm.config.v1+json',
    bytes: Buffer.from(JSON.stringify(meta)),
  };
  const chart = {
    mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    bytes: gzipSync(await tar(files)),
  };
  return buildArtifact({ config, layers: [chart] });
}

/** An image whose manifest has exactly the given number of bytes, padded by an annotation. */
export async function imageWithManifestOf(bytes: number, rest: Rest = {}): Promise<TestImage> {
  const padded = (fill: number) =>
    buildImage({ ...rest, layers: [{ a: '1' }], annotations: { fill: 'x'.repeat(fill) } });
  const { descriptor } = await padded(0);
  return padded(bytes - descriptor.size);
}
