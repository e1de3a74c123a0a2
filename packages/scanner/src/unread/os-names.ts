/**
 * What an image calls its operating system, by os-release(5). Trivy recognises Debian and Red Hat
 * by files that their derivatives keep, and judges a derivative by the advisories of its base.
 */

/** The `ID` of `os-release` by Trivy's family (Trivy 0.74.0, pkg/fanal/analyzer/os). */
export const FAMILY_IDS: Readonly<Record<string, readonly string[]>> = {
  activestate: ['activestate'],
  alma: ['almalinux'],
  alpine: ['alpine'],
  amazon: ['amzn'],
  azurelinux: ['azurelinux'],
  bottlerocket: ['bottlerocket'],
  'cbl-mariner': ['mariner'],
  centos: ['centos'],
  'centos-stream': ['centos'],
  chainguard: ['chainguard'],
  coreos: ['coreos'],
  debian: ['debian'],
  echo: ['echo'],
  fedora: ['fedora'],
  minimos: ['minimos'],
  'opensuse-leap': ['opensuse-leap', 'opensuse'],
  'opensuse-tumbleweed': ['opensuse-tumbleweed'],
  oracle: ['ol'],
  photon: ['photon'],
  redhat: ['rhel'],
  rocky: ['rocky'],
  slem: ['sle-micro', 'sl-micro', 'sle-micro-rancher'],
  sles: ['sles'],
  ubuntu: ['ubuntu'],
  wolfi: ['wolfi'],
};

/** Where os-release(5) has it, and the files that links between the two lead through. */
const RELEASE_FILE = /^(?:etc|usr\/lib)\/(?:[\w.-]+\/)?[\w.-]*os-release[\w.-]*$/;
const PLACES = ['etc/os-release', 'usr/lib/os-release'];

export function isReleaseFile(path: string): boolean {
  return RELEASE_FILE.test(path);
}

/** A release file of a layer: its `ID`, or the path that it is a link to. */
export type ReleaseFile = { path: string } & ({ id: string } | { linkTo: string });

const MAX_ID = 100;
/** What a file without an `ID` stands for. */
const DEFAULT_ID = 'linux';

/** The `ID` that a release file states. The last one counts, as in a shell. */
export function idIn(text: string): string {
  const [, value = ''] = [...text.matchAll(/^[ \t]*ID=(.*)$/gm)].at(-1) ?? [];
  const id = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  return id.replace(/\p{C}+/gu, ' ').slice(0, MAX_ID) || DEFAULT_ID;
}

/**
 * The names that the image gives itself and that are not those of the family.
 *
 * @param files The release files that remain after all layers are applied.
 * @param family The operating system that Trivy recognised; null where it recognised none.
 */
export function otherNames(files: readonly ReleaseFile[], family: string | null): string[] {
  if (family === null) return [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  const names = PLACES.flatMap((place) => nameAt(place, byPath) ?? []);
  const known = FAMILY_IDS[family] ?? [];
  return [...new Set(names)].filter((name) => !known.includes(name));
}

const MOST_LINKS = 8;

function nameAt(place: string, files: ReadonlyMap<string, ReleaseFile>): string | null {
  let file = files.get(place);
  for (let links = 0; links < MOST_LINKS && file && 'linkTo' in file; links += 1)
    file = files.get(withoutUsrMerge(file.linkTo));
  // A link to nothing names nothing: os-release(5) then falls back to the other place.
  return file && 'id' in file ? file.id : null;
}

/** `/lib` is a link to `/usr/lib` wherever there is a release file in it. */
function withoutUsrMerge(path: string): string {
  return path.startsWith('lib/') ? `usr/${path}` : path;
}
