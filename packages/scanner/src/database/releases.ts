/**
 * Maps an operating system release to the bucket of Trivy's database that has its advisories
 * (pkg/detector/ospkg in Trivy 0.74.0, pkg/vulnsrc/bucket in trivy-db). Trivy silently finds
 * nothing in a release without a bucket. A family that is missing from this table counts as one
 * without advisories.
 */
import type { RawOs } from '../reports/raw-report.ts';

/** What Trivy logged on standard error during detection. */
export interface DetectionLog {
  /**
   * The Alpine release named by `etc/apk/repositories`, which takes precedence over that of the
   * image; null where Trivy logged none.
   */
  alpineRepository: string | null;
  /** Trivy has no end-of-life date for the release, so it does not know the release. */
  offEolList: boolean;
}

/** Returns null where no bucket matches. */
export function bucketOf(os: RawOs, log: DetectionLog): string | null {
  const family = FAMILIES.get(os.Family ?? '');
  return family ? family(os.Name ?? '', { ...log, extended: os.extended === true }) : null;
}

/**
 * Buckets that only images of their release use. Those of vendors who rebuild packages have other
 * names, and may concern an image of any release.
 */
export function isReleaseBucket(name: string): boolean {
  return RELEASE.test(name);
}

const RELEASE =
  /^(?:(?:alma|alpine|amazon linux|Azure Linux|CBL-Mariner|debian|openSUSE Leap|Oracle Linux|Photon OS|rocky|SUSE Linux Enterprise(?: Micro)?|ubuntu) \S+|bottlerocket|chainguard|echo|minimos|openSUSE Tumbleweed|Red Hat|wolfi)$/;

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
    // Red Hat's advisories name products instead of releases; the scan fails where an image's
    // product has none.
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

export const KNOWN_FAMILIES: ReadonlySet<string> = new Set(FAMILIES.keys());

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

/**
 * `2 (Karoo)`, `2023.6.20241010`, `2018.03`. Trivy takes any other name for the first Amazon Linux.
 */
function amazon(name: string): string | null {
  const release = major(name.trim().split(/\s/, 1)[0] ?? '');
  if (['2', '2022', '2023'].includes(release)) return `amazon linux ${release}`;
  return /^(?:1|201\d)$/.test(release) ? 'amazon linux 1' : null;
}

/**
 * Releases whose extended maintenance (Ubuntu Pro) has a bucket. For later ones Trivy uses the
 * ordinary advisories.
 */
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

/** Trivy quotes strings from the image, so an image cannot inject a log line. */
export function readDetectionLog(stderr: string): DetectionLog {
  return { alpineRepository: repositoryIn(stderr), offEolList: OFF_EOL_LIST.test(stderr) };
}

/**
 * Advisories of third-party vendors are looked up first, without a repository. Two different
 * repositories: neither is believed.
 */
function repositoryIn(stderr: string): string | null {
  const notes = [...stderr.matchAll(ALPINE)].map((match) => match[2]);
  const named = new Set(notes.filter((repository) => repository !== undefined));
  if (named.size > 1 || notes.length === 0) return null;
  return [...named][0] ?? '';
}
