/**
 * Reads the package lists of Trivy's JSON report, as far as coverage needs them. Reports reach
 * hundreds of megabytes, nearly all of it packages, so they are read line by line: Trivy indents by
 * two spaces and escapes line ends, so a line's indentation identifies the field.
 */
import type { RawReport } from '../reports/raw-report.ts';
import { type FileWatch, watchFiles } from '../unread/file-watch.ts';
import { ecosystemOf } from './package-types.ts';

export interface PackageList {
  /** Number of operating system packages. */
  os: number;
  /** Names of packages that the operating system's advisories do not describe. */
  thirdParty: string[];
  /** Paths of the Java archives in which a package was recognised. */
  archives: string[];
  /** Packages that Trivy lists without comparing them with advisories. */
  unjudged: UnjudgedPackage[];
}

export interface UnjudgedPackage {
  why: 'packages_unjudged' | 'version_missing';
  /** As Trivy names it, such as `conda-pkg`. */
  type: string;
  name: string;
}

interface Listed {
  Name?: string | null | undefined;
  Version?: string | null | undefined;
  Relationship?: string | null | undefined;
  FilePath?: string | null | undefined;
  Repository?: { Class?: string | null | undefined } | null | undefined;
  Maintainer?: string | null | undefined;
  InstalledFiles?: unknown;
  Layer?: { DiffID?: string | null | undefined } | null | undefined;
}

const THIRD_PARTY = 'third-party';

function emptyList(): PackageList {
  return { os: 0, thirdParty: [], archives: [], unjudged: [] };
}

/** @param watch Notes the files that the report accounts for. */
export function listPackages(
  { Results }: Pick<RawReport, 'Results'>,
  watch: FileWatch = watchFiles([]),
): PackageList {
  const list: PackageList = emptyList();
  for (const { Target, Class, Type, Packages } of Results ?? [])
    for (const each of Packages ?? []) add({ list, watch }, { Target, Class, Type }, each);
  return list;
}

interface Kind {
  /** Of lists with many packages, the path. */
  Target?: string | null | undefined;
  Class?: string | null | undefined;
  Type?: string | null | undefined;
}

function add(
  { list, watch }: { list: PackageList; watch: FileWatch },
  kind: Kind,
  listed: Listed,
): void {
  const { Class, Type } = kind;
  const { Name, FilePath, Repository, ...rest } = listed;
  note(watch, kind, listed);
  if (Class === 'os-pkgs') list.os += 1;
  if (Class === 'os-pkgs' && Repository?.Class === THIRD_PARTY) list.thirdParty.push(Name ?? '');
  if (Type === 'jar' && FilePath) list.archives.push(FilePath);
  const why = unjudged({ Class, Type }, rest);
  if (why !== null) list.unjudged.push({ why, type: Type ?? '', name: Name ?? '' });
}

function note(watch: FileWatch, { Target, Class, Type }: Kind, listed: Listed): void {
  const layer = listed.Layer?.DiffID ?? '';
  if (Class !== 'os-pkgs') watch.reported(listed.FilePath || Target || '', layer);
  if (Class !== 'os-pkgs' || !Array.isArray(listed.InstalledFiles)) return;
  const by = {
    family: Type ?? '',
    maintainer: listed.Maintainer ?? '',
    isThirdParty: listed.Repository?.Class === THIRD_PARTY,
  };
  for (const file of listed.InstalledFiles) {
    const path = withoutSlash(String(file));
    if (watch.isWatched(path)) watch.owned(path, by, layer);
  }
}

/** dpkg and RPM name files from the root, apk without a slash. */
function withoutSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

/**
 * Trivy looks up nothing without a version. It lists the program of a Go binary as a package, which
 * has none unless it was tagged.
 */
function unjudged(
  { Class, Type }: Kind,
  { Version, Relationship }: Omit<Listed, 'Name'>,
): UnjudgedPackage['why'] | null {
  if (Class !== 'os-pkgs' && ecosystemOf(Type ?? '') === null) return 'packages_unjudged';
  return Version || Relationship === 'root' ? null : 'version_missing';
}

const RESULT_FIELD = /^ {6}"(Target|Class|Type)": ("(?:[^"\\]|\\.)*"),?$/;
const PACKAGES_BEGIN = /^ {6}"Packages": \[$/;
const PACKAGES_END = /^ {6}\]/;
const PACKAGE_BEGIN = /^ {8}\{/;
const PACKAGE_END = /^ {8}\{?\}/;
const PACKAGE_FIELD =
  /^ {10}"(Name|FilePath|Version|Relationship|Maintainer)": ("(?:[^"\\]|\\.)*"),?$/;
const MEMBER_BEGIN = /^ {10}"(\w+)": [[{]$/;
const MEMBER_END = /^ {10}[\]}]/;
const MEMBER_FIELD = /^ {12}"(Class|DiffID)": ("(?:[^"\\]|\\.)*"),?$/;
const MEMBER_ITEM = /^ {12}("(?:[^"\\]|\\.)*"),?$/;
const RESULT_BEGIN = /^ {4}\{/;

/** The same from the text of a report. */
export async function readPackageList(
  lines: AsyncIterable<string>,
  watch: FileWatch = watchFiles([]),
): Promise<PackageList> {
  const list: PackageList = emptyList();
  const reading: Reading = {
    list,
    watch,
    kind: {},
    current: null,
    inPackages: false,
    member: '',
  };
  for await (const line of lines) readLine(line, reading);
  return list;
}

interface Reading {
  list: PackageList;
  watch: FileWatch;
  kind: Kind;
  current: (Listed & { InstalledFiles: string[] }) | null;
  inPackages: boolean;
  /** The object or list in a package whose lines are being read. */
  member: string;
}

function readLine(line: string, reading: Reading): void {
  if (reading.inPackages) readPackageLine(line, reading);
  else readResultLine(line, reading);
}

function readResultLine(line: string, reading: Reading): void {
  if (RESULT_BEGIN.test(line)) reading.kind = {};
  if (PACKAGES_BEGIN.test(line)) reading.inPackages = true;
  const [, field, value] = RESULT_FIELD.exec(line) ?? [];
  if (value !== undefined && isResultField(field)) reading.kind[field] = text(value);
}

function readPackageLine(line: string, reading: Reading): void {
  if (PACKAGES_END.test(line)) reading.inPackages = false;
  if (PACKAGE_BEGIN.test(line)) reading.current = { InstalledFiles: [] };
  const { current, kind } = reading;
  if (!current) return;
  if (PACKAGE_END.test(line)) {
    add(reading, kind, current);
    reading.current = null;
  }
  readPackageField(line, current, reading);
}

function readPackageField(
  line: string,
  current: NonNullable<Reading['current']>,
  reading: Reading,
): void {
  const [, field, value] = PACKAGE_FIELD.exec(line) ?? [];
  if (value !== undefined && isTextField(field)) current[field] = text(value);
  const [, member] = MEMBER_BEGIN.exec(line) ?? [];
  if (member !== undefined) reading.member = member;
  else if (MEMBER_END.test(line)) reading.member = '';
  else readMember(line, current, reading);
}

function readMember(
  line: string,
  current: NonNullable<Reading['current']>,
  { member, watch }: Reading,
): void {
  const [, field, value] = MEMBER_FIELD.exec(line) ?? [];
  if (member === 'Repository' && field === 'Class' && value !== undefined)
    current.Repository = { Class: text(value) };
  if (member === 'Layer' && field === 'DiffID' && value !== undefined)
    current.Layer = { DiffID: text(value) };
  const [, item] = (member === 'InstalledFiles' && MEMBER_ITEM.exec(line)) || [];
  if (item === undefined) return;
  const file = text(item);
  // A package may have a hundred thousand files.
  if (watch.isWatched(withoutSlash(file))) current.InstalledFiles.push(file);
}

const RESULT_FIELDS = ['Target', 'Class', 'Type'] as const;

function isResultField(field: string | undefined): field is (typeof RESULT_FIELDS)[number] {
  return RESULT_FIELDS.some((each) => each === field);
}

const TEXT_FIELDS = ['Name', 'FilePath', 'Version', 'Relationship', 'Maintainer'] as const;

function isTextField(field: string | undefined): field is (typeof TEXT_FIELDS)[number] {
  return TEXT_FIELDS.some((each) => each === field);
}

function text(quoted: string): string {
  return String(JSON.parse(quoted));
}
