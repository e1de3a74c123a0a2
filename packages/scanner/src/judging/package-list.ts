/**
 * Reads the package lists of Trivy's JSON report, as far as coverage needs them. Reports reach
 * hundreds of megabytes, nearly all of it packages, so they are read line by line: Trivy indents by
 * two spaces and escapes line ends, so a line's indentation identifies the field.
 */
import type { RawReport } from '../reports/raw-report.ts';
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
}

const THIRD_PARTY = 'third-party';

function emptyList(): PackageList {
  return { os: 0, thirdParty: [], archives: [], unjudged: [] };
}

export function listPackages({ Results }: Pick<RawReport, 'Results'>): PackageList {
  const list: PackageList = emptyList();
  for (const { Class, Type, Packages } of Results ?? [])
    for (const each of Packages ?? []) add(list, { Class, Type }, each);
  return list;
}

interface Kind {
  Class?: string | null | undefined;
  Type?: string | null | undefined;
}

function add(
  list: PackageList,
  { Class, Type }: Kind,
  { Name, FilePath, Repository, ...rest }: Listed,
): void {
  if (Class === 'os-pkgs') list.os += 1;
  if (Class === 'os-pkgs' && Repository?.Class === THIRD_PARTY) list.thirdParty.push(Name ?? '');
  if (Type === 'jar' && FilePath) list.archives.push(FilePath);
  const why = unjudged({ Class, Type }, rest);
  if (why !== null) list.unjudged.push({ why, type: Type ?? '', name: Name ?? '' });
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

const RESULT_FIELD = /^ {6}"(Class|Type)": ("(?:[^"\\]|\\.)*"),?$/;
const PACKAGES_BEGIN = /^ {6}"Packages": \[$/;
const PACKAGES_END = /^ {6}\]/;
const PACKAGE_BEGIN = /^ {8}\{/;
const PACKAGE_END = /^ {8}\}/;
const PACKAGE_FIELD = /^ {10}"(Name|FilePath|Version|Relationship)": ("(?:[^"\\]|\\.)*"),?$/;
const REPOSITORY_BEGIN = /^ {10}"Repository": \{$/;
const REPOSITORY_CLASS = /^ {12}"Class": ("(?:[^"\\]|\\.)*"),?$/;
const RESULT_BEGIN = /^ {4}\{/;

/** The same from the text of a report. */
export async function readPackageList(lines: AsyncIterable<string>): Promise<PackageList> {
  const list: PackageList = emptyList();
  const reading: Reading = {
    list,
    kind: {},
    current: null,
    inPackages: false,
    inRepository: false,
  };
  for await (const line of lines) readLine(line, reading);
  return list;
}

interface Reading {
  list: PackageList;
  kind: Kind;
  current: Listed | null;
  inPackages: boolean;
  inRepository: boolean;
}

function readLine(line: string, reading: Reading): void {
  if (reading.inPackages) readPackageLine(line, reading);
  else readResultLine(line, reading);
}

function readResultLine(line: string, reading: Reading): void {
  if (RESULT_BEGIN.test(line)) reading.kind = {};
  if (PACKAGES_BEGIN.test(line)) reading.inPackages = true;
  const [, field, value] = RESULT_FIELD.exec(line) ?? [];
  if (value !== undefined) reading.kind[field === 'Class' ? 'Class' : 'Type'] = text(value);
}

function readPackageLine(line: string, reading: Reading): void {
  if (PACKAGES_END.test(line)) reading.inPackages = false;
  if (PACKAGE_BEGIN.test(line)) reading.current = {};
  const { current, list, kind } = reading;
  if (!current) return;
  if (PACKAGE_END.test(line)) {
    add(list, kind, current);
    reading.current = null;
  }
  readPackageField(line, current, reading);
}

function readPackageField(line: string, current: Listed, reading: Reading): void {
  const [, field, value] = PACKAGE_FIELD.exec(line) ?? [];
  if (value !== undefined && isTextField(field)) current[field] = text(value);
  if (REPOSITORY_BEGIN.test(line)) reading.inRepository = true;
  const [, repositoryClass] = (reading.inRepository && REPOSITORY_CLASS.exec(line)) || [];
  if (repositoryClass !== undefined) {
    current.Repository = { Class: text(repositoryClass) };
    reading.inRepository = false;
  }
}

const TEXT_FIELDS = ['Name', 'FilePath', 'Version', 'Relationship'] as const;

function isTextField(field: string | undefined): field is (typeof TEXT_FIELDS)[number] {
  return TEXT_FIELDS.some((each) => each === field);
}

function text(quoted: string): string {
  return String(JSON.parse(quoted));
}
