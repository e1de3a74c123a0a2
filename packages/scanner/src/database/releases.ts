/**
 * Where the scanner looks for the advisories of a release: the bucket of its database (pkg/detector/ospkg in Trivy
 * 0.74.0, pkg/vulnsrc/bucket in trivy-db). A release without a bucket has no advisories there, and the scanner finds
 * nothing in it without a word. A family that this table does not know counts as one without advisories.
 */
import type { RawOs } from '../reports/raw-report.ts';

/** What the scanner noted on standard error while it looked. */
export interface DetectionLog {
  /** The Alpine release that `etc/apk/repositories` names, which goes before that of the image; null: no note. */
  alpineRepository: string | null;
  /** The scanner does not know when the release reaches its end of life, so it does not know the release. */
  offEolList: boolean;
}

/** Null where no bucket would be right. */
export function bucketOf(os: RawOs, log: DetectionLog): string | null {
  const family = FAMILIES.get(os.Family ?? '');
  return family ? family(os.Name ?? '', { ...log, extended: os.extended === true }) : null;
}

interface Context extends DetectionLog {
  /** Ubuntu Pro. */
  extended: boolean;
}

type Naming = (name: string, context: Context) => string | null;

const FAMILIES: ReadonlyMap<string, Naming> = new Map(
  Object.entries<Naming>({
    alma: (name) => plain('alma', major(name)),
    alpine: (name, { alpineRepository }) => alpine(name, alpineRepository),
    amazon,
    azurelinux: (name) => `Azure Linux ${minor(name)}`,
    bottlerocket: () => 'bottlerocket',
    'cbl-mariner': (name) => `CBL-Mariner ${minor(name)}`,
    // Red Hat's advisories name products instead of releases; the scan fails where an image's product has none.
    centos: () => 'Red Hat',
    chainguard: () => 'chainguard',
    debian: (name) => plain('debian', major(name)),
    echo: () => 'echo',
    minimos: () => 'minimos',
    'opensuse-leap': (name) => `openSUSE Leap ${name}`,
    'opensuse-tumbleweed': () => 'openSUSE Tumbleweed',
    oracle: (name) => `Oracle Linux ${major(name)}`,
    photon: (name) => `Photon OS ${name}`,
    redhat: () => 'Red Hat',
    rocky: (name) => plain('rocky', major(name)),
    slem: (name) => `SUSE Linux Enterprise Micro ${name}`,
    sles: (name) => `SUSE Linux Enterprise ${name}`,
    ubuntu,
    wolfi: () => 'wolfi',
  }),
);

/** `8.1` → `8` */
function major(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

/** `3.17.2` → `3.17` */
function minor(name: string): string {
  return name.split('.').slice(0, 2).join('.');
}

function plain(family: string, release: string): string {
  return release === '' ? family : `${family} ${release}`;
}

function alpine(name: string, repository: string | null): string | null {
  if (repository === null) return null;
  return plain('alpine', repository === '' ? minor(name) : repository);
}

/** `2 (Karoo)`, `2023.6.20241010`, `2018.03`. The scanner takes any other for the first Amazon Linux. */
function amazon(name: string): string | null {
  const release = major(name.trim().split(/\s/, 1)[0] ?? '');
  if (['2', '2022', '2023'].includes(release)) return `amazon linux ${release}`;
  return /^(?:1|201\d)$/.test(release) ? 'amazon linux 1' : null;
}

/** Those whose extended maintenance has a bucket. Of later ones the scanner takes the ordinary advisories. */
const EXTENDED = ['12.04', '14.04', '16.04', '18.04', '20.04'];

function ubuntu(name: string, { extended, offEolList }: Context): string | null {
  if (!extended) return plain('ubuntu', name);
  if (EXTENDED.includes(name)) return `ubuntu ${name}-ESM`;
  return offEolList ? null : plain('ubuntu', name);
}

const LINE = /^\S+\t(?:INFO|WARN)\t(?:\[[\w-]+\] )?/.source;
const QUOTED = /"((?:[^"\\]|\\.)*)"/.source;
const ALPINE = new RegExp(
  `${LINE}Detecting vulnerabilities\\.\\.\\.\\tos_version=${QUOTED}(?: repository=${QUOTED})? pkg_num=\\d+ ?$`,
  'gm',
);
const OFF_EOL_LIST = new RegExp(`${LINE}This OS version is not on the EOL list\\t`, 'm');

/** The scanner quotes what it takes from an image, so an image brings no line of its own. */
export function readDetectionLog(stderr: string): DetectionLog {
  return { alpineRepository: repositoryIn(stderr), offEolList: OFF_EOL_LIST.test(stderr) };
}

/** Advisories of other makers are looked up first, and without a repository. Two different ones: none is believed. */
function repositoryIn(stderr: string): string | null {
  const notes = [...stderr.matchAll(ALPINE)].map((match) => match[2]);
  const named = new Set(notes.filter((repository) => repository !== undefined));
  if (named.size > 1 || notes.length === 0) return null;
  return [...named][0] ?? '';
}
