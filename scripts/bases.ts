/**
 * The base images of our images, and the images that compose and the chart run:
 * deploy/image/bases.json lists them, and this module writes each of them with its digest where it
 * is used. Pure; ./bases-command.ts does the I/O.
 */
import { type Descriptor, type Digest, DOCKER_INDEX, OCI_INDEX } from '@portcullis/oci';

interface Base {
  /** `registry/repository:tag` */
  image: string;
  /**
   * Digest of the index of all platforms. Null until a machine that reaches the registry has
   * resolved it.
   */
  digest: Digest | null;
}

export const BASE_NAMES = ['node', 'go', 'registry', 'postgres', 'redis', 'debian'] as const;
export type BaseName = (typeof BASE_NAMES)[number];
export type Bases = Record<BaseName, Base>;

/**
 * Where an image is written. `before` and `after` surround it on its line; `plain` omits the
 * digest.
 */
interface Place {
  file: string;
  base: BaseName;
  before: RegExp;
  form: (base: Base) => string;
}

const pinned = ({ image, digest }: Base): string =>
  digest === null ? image : `${image}@${digest}`;
const plain = ({ image }: Base): string => image;

/** As in `values.yaml`: in separate fields. */
function inParts({ image, digest }: Base): string {
  const colon = image.lastIndexOf(':');
  return `repository: ${image.slice(0, colon)}, tag: ${image.slice(colon + 1)}, digest: "${digest ?? ''}"`;
}

const argument = (name: string) => new RegExp(`^ARG ${name}=`, 'm');
const fallback = (name: string) => new RegExp(`image: \\$\\{${name}:-`);
const constant = (name: string) => new RegExp(`^const ${name} = '`, 'm');

export const PLACES: readonly Place[] = [
  { file: 'Dockerfile.api', base: 'node', before: argument('NODE_IMAGE'), form: pinned },
  { file: 'Dockerfile.worker', base: 'node', before: argument('NODE_IMAGE'), form: pinned },
  { file: 'Dockerfile.worker', base: 'go', before: argument('GO_IMAGE'), form: pinned },
  { file: 'Dockerfile.worker', base: 'registry', before: argument('REGISTRY_IMAGE'), form: pinned },
  {
    file: 'docker-compose.yml',
    base: 'postgres',
    before: fallback('POSTGRES_IMAGE'),
    form: pinned,
  },
  { file: 'docker-compose.yml', base: 'redis', before: fallback('REDIS_IMAGE'), form: pinned },
  {
    file: 'docker-compose.yml',
    base: 'registry',
    before: fallback('REGISTRY_IMAGE'),
    form: pinned,
  },
  {
    file: 'deploy/helm/portcullis/values.yaml',
    base: 'registry',
    before: /^ {2}registry: \{ (?=repository: )/m,
    form: inParts,
  },
  {
    file: '.github/workflows/ci.yml',
    base: 'debian',
    before: /^ +image: (?=docker\.io\/)/m,
    form: pinned,
  },
  // Stand-ins of the tests have the names of the images they replace.
  {
    file: 'tests/deploy/containers/stand-ins/Dockerfile',
    base: 'node',
    before: argument('NODE_IMAGE'),
    form: plain,
  },
  {
    file: 'packages/testing/src/servers/containers.ts',
    base: 'postgres',
    before: constant('POSTGRES'),
    form: plain,
  },
  {
    file: 'packages/testing/src/servers/containers.ts',
    base: 'redis',
    before: constant('REDIS'),
    form: plain,
  },
];

/** An image in any of the forms, up to characters that cannot belong to it. */
const WRITTEN = /^(?:repository: [^\s,]+, tag: [^\s,]+, digest: "[^"]*"|[^\s'"}]+)/;

/** The files with the listed base images. @throws where a file no longer has the expected line */
export function written(bases: Bases, files: ReadonlyMap<string, string>): Map<string, string> {
  const result = new Map(files);
  for (const { file, base, before, form } of PLACES) {
    const text = result.get(file) ?? '';
    const entry = bases[base];
    const found = before.exec(text);
    if (!found) throw new Error(`${file} has no ${before.source} for the base ${base}`);
    const start = found.index + found[0].length;
    const [old = ''] = WRITTEN.exec(text.slice(start)) ?? [];
    result.set(file, text.slice(0, start) + form(entry) + text.slice(start + old.length));
  }
  return result;
}

const PLATFORMS = ['linux/amd64', 'linux/arm64'];

/** Why an image cannot be a base of our multi-platform images; null where it can. */
export function unfitness(descriptor: Descriptor, platforms: readonly string[]): string | null {
  if (![OCI_INDEX, DOCKER_INDEX].includes(descriptor.mediaType))
    return 'it is for one platform only';
  const missing = PLATFORMS.filter((each) => !platforms.includes(each));
  return missing.length === 0 ? null : `it lacks ${missing.join(' and ')}`;
}

export const unpinned = (bases: Bases): BaseName[] =>
  BASE_NAMES.filter((name) => bases[name].digest === null);
