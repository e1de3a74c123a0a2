/**
 * Reads a file of packages as far as to say what Trivy has to report of it. It is more lenient than
 * Trivy's parsers: what package managers and runtimes accept is a package, whether Trivy reads it
 * or not.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { isPartOfRuntime, type PackageFileKind } from './package-files.ts';
import { readZipDirectory } from './zip-directory.ts';

/**
 * `any`: some analysis of the path has to be in the report. `own`: that of this very layer, because
 * the file could not be read here. `quiet`: Trivy may report nothing of it, unless it left the file
 * to the distribution. `#…` identifies what the file says: the report has to be of a layer in which
 * the file says the same. `=…` is the path of which it is another name.
 */
export type Mark = 'any' | 'own' | 'quiet' | `#${string}` | `=${string}`;

/** What has to be in the report; more than one for an archive that contains archives. */
export interface Expected {
  path: string;
  mark: Mark;
  kind: PackageFileKind | 'archive';
}

export interface PackageFile {
  kind: PackageFileKind;
  path: string;
  size: number;
  /** What `partToRead` asks for; all of the content where it is not larger. */
  bytes: Uint8Array;
}

/** Larger files are not read, except for the directories of archives. */
const MAX_TEXT = 1024 * 1024;
/** Of an archive: the directory of one with 15,000 entries has 2 MB. */
const MAX_DIRECTORY = 2 * 1024 * 1024;
const MAGIC_LENGTH = 16;

export function partToRead(kind: PackageFileKind): { of: 'first' | 'last'; bytes: number } {
  if (kind === 'rpm') return { of: 'first', bytes: MAGIC_LENGTH };
  return { of: 'last', bytes: kind === 'jar' ? MAX_DIRECTORY : MAX_TEXT };
}

export function expectedOf(file: PackageFile): Expected[] {
  if (file.kind === 'jar') return ofArchive(file);
  const mark = markOf(file);
  return mark === null ? [] : [{ path: file.path, mark, kind: file.kind }];
}

function markOf(file: PackageFile): Mark | null {
  if (file.kind === 'rpm') return ofRpm(file);
  return file.kind === 'python-egg' ? ofEgg(file) : ofText(file);
}

/** In hexadecimal: SQLite, RPM's own format, hash tables of Berkeley DB in either byte order. */
const RPM_MAGIC = /^(?:53514c69746520666f726d6174203300|52706d50|.{24}(?:00061561|61150600))/;

/** No file of this kind is reported by its path: one that is readable replaces one that is not. */
function ofRpm({ size, bytes }: PackageFile): Mark {
  return size === 0 || RPM_MAGIC.test(Buffer.from(bytes).toString('hex')) ? 'quiet' : 'own';
}

/** Of files that are too large: Trivy decides what documents and long lists say. */
const UNREAD: Partial<Record<PackageFileKind, Mark>> = {
  'composer-vendor': 'any',
  'dotnet-core': 'quiet',
  sbom: 'quiet',
};

function ofText({ kind, path, size, bytes }: PackageFile): Mark | null {
  if (size > bytes.length) return UNREAD[kind] ?? 'own';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  switch (kind) {
    case 'node-pkg':
      return ofNode(path, text);
    case 'python-pkg':
      return identityIn(text, /^name:[ \t]*(\S.*)$/im, /^version:[ \t]*(\S.*)$/im);
    case 'gemspec':
      return identityIn(text, /^\s*\w+\.name\s*=\s*(\S+)/m, /^\s*\w+\.version\s*=\s*(\S+)/m);
    case 'composer-vendor':
      return ofComposer(path, text);
    case 'conda-pkg':
      return ofConda(text);
    default:
      return ofDocument(path, text);
  }
}

/**
 * Trivy reports each that has a name and a version. What Node.js cannot parse is no package, except
 * where a package is installed: fixtures of tests are broken on purpose.
 */
function ofNode(path: string, text: string): Mark | null {
  const json = objectIn(text);
  if (json === null) return isInstalled(path) ? 'own' : null;
  const { name, version } = json;
  return isName(name) && NPM_NAME.test(name) && isName(version) ? identity(name, version) : null;
}

/** What npm could ever have installed, and more than Trivy accepts: `firebase/app` is a part. */
const NPM_NAME = /^(?:@[^/\s]+\/)?[^/\s]+$/;

/** `node_modules/name/package.json`, below the last `node_modules` of the path. */
function isInstalled(path: string): boolean {
  return /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(path);
}

/** Composer 1 writes a list, Composer 2 an object. */
function ofComposer(path: string, text: string): Mark | null {
  const json = jsonIn(text);
  const isComposers = /(?:^|\/)composer\/[^/]+$/.test(path);
  // Other programs write lists of this name as well.
  if (!isObject(json) && !isComposers) return null;
  if (json === undefined) return 'own';
  const list = isObject(json) ? json.packages : json;
  const packages = Array.isArray(list) ? list.filter(isObject) : [];
  if (!packages.some(({ name, version }) => isName(name) && isName(version))) return null;
  return isObject(json) && isStrict(text) ? 'any' : 'own';
}

function ofConda(text: string): Mark | null {
  const json = objectIn(text);
  if (json === null) return 'own';
  const isPackage = isName(json.name) && isName(json.version);
  if (!isPackage) return null;
  return isStrict(text) ? 'any' : 'own';
}

/** What a document lists depends on more than its syntax: Trivy decides where it can read it. */
function ofDocument(path: string, text: string): Mark {
  // SPDX and CycloneDX have forms other than JSON.
  if (!path.endsWith('json') && !/^\ufeff?\s*\{/.test(text)) return 'quiet';
  return isStrict(text) && objectIn(text) !== null ? 'quiet' : 'own';
}

function ofEgg({ size, bytes }: PackageFile): Mark | null {
  const directory = readZipDirectory(bytes, size);
  if (directory === 'invalid') return isZip(bytes) ? 'own' : null;
  if (directory === 'beyond') return 'any';
  return directory.names.some((name) => name.endsWith('EGG-INFO/PKG-INFO')) ? 'any' : null;
}

/** Trivy's own condition for an archive in an archive. */
const NESTED = /\.(?:jar|war|ear)$/;
/**
 * The code of the application itself in the layouts of Spring Boot and of web applications, Spring
 * Boot's loader, and classes that only a JDK may have.
 */
const OWN_CODE =
  /^(?:BOOT-INF\/classes|WEB-INF\/classes|org\/springframework\/boot\/loader|META-INF\/versions\/\d+\/(?:jdk|sun)|jdk|sun)\/|(?:^|\/)module-info\.class$/;

/** Maven's name and version of what is in the archive. */
const COORDINATES = /(?:^|\/)pom\.properties$/;

function ofArchive({ path, size, bytes }: PackageFile): Expected[] {
  // Nothing is in an empty file, and `.par` is an ending of other formats as well.
  if (size === 0 || (/\.par$/i.test(path) && size === bytes.length && !isZip(bytes))) return [];
  const directory = readZipDirectory(bytes, size);
  if (directory === 'invalid') return [{ path, mark: 'own', kind: 'jar' }];
  if (directory === 'beyond') return [{ path, mark: 'any', kind: 'archive' }];
  const mark = `#${digestOf(bytes)}` as const;
  const { names } = directory;
  const isPackage = names.some(
    (name) => COORDINATES.test(name) || (name.endsWith('.class') && !OWN_CODE.test(name)),
  );
  const nested = names
    .filter((name) => NESTED.test(name))
    .map((name) => posix.join(path, name))
    .filter((inner) => inner.startsWith(`${path}/`));
  return [
    ...(isPackage && !isPartOfRuntime(path) ? [{ path, mark, kind: 'archive' as const }] : []),
    ...nested.map((inner) => ({ path: inner, mark: 'any' as const, kind: 'archive' as const })),
  ];
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

const BYTE_ORDER_MARK = '\ufeff';

/** Whether Go reads it where we do. */
function isStrict(text: string): boolean {
  return !text.startsWith(BYTE_ORDER_MARK);
}

/** Undefined where it is no JSON. npm and Composer skip a byte order mark. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(isStrict(text) ? text : text.slice(1));
  } catch {
    return undefined;
  }
}

/** What any document of the table may have. */
interface Document {
  name?: unknown;
  version?: unknown;
  packages?: unknown;
}

function objectIn(text: string): Document | null {
  const json = jsonIn(text);
  return isObject(json) ? json : null;
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function identityIn(text: string, name: RegExp, version: RegExp): Mark {
  const [, named] = name.exec(text) ?? [];
  const [, versioned] = version.exec(text) ?? [];
  return named === undefined || versioned === undefined ? 'own' : identity(named, versioned);
}

function identity(name: string, version: string): Mark {
  return `#${digestOf(Buffer.from(JSON.stringify([name, version])))}`;
}

const DIGEST_LENGTH = 12;

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, DIGEST_LENGTH);
}
