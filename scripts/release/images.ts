/** Builds both images for all platforms, and attaches SBOM and provenance in the registry. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import {
  type Descriptor,
  type Digest,
  parseDigest,
  parseManifest,
  platformName,
} from '@portcullis/oci';
import type { RegistryCredentials, Repository, Transport } from '@portcullis/oci/remote';
import { openNamed, parseNamedImage } from '../image-name.ts';
import { attach } from './artifact.ts';
import type { BuildArguments } from './build-arguments.ts';
import { type Build, IN_TOTO, provenanceOf } from './provenance.ts';
import { CYCLONEDX, sbomOf } from './sbom.ts';
import { withTemporaryDir } from './temporary.ts';

const IMAGES = [
  { name: 'portcullis-api', dockerfile: 'Dockerfile.api' },
  { name: 'portcullis-worker', dockerfile: 'Dockerfile.worker' },
] as const;
const PLATFORMS = 'linux/amd64,linux/arm64';

/** An image of a release: an entry of `images.json`. */
export interface ReleasedImage {
  /** `registry/repository` */
  name: string;
  dockerfile: string;
  digest: Digest;
  /**
   * The attached artifacts: an SBOM for each platform's manifest, the provenance for the whole
   * image.
   */
  attached?: { subject: Digest; mediaType: string; digest: Digest; file: string }[];
}

/** Uses Docker's builder, which must support several platforms: `docker buildx create --use`. */
export function buildCommand(
  image: string,
  dockerfile: string,
  given: BuildArguments,
  digestFile: string,
): string[] {
  const values = Object.entries(given).flatMap(([name, value]) => [
    '--build-arg',
    `${name}=${value}`,
  ]);
  // The builder's own attestations would be manifests in the index; ours are referrers, which every
  // client can list.
  const plain = ['--provenance=false', '--sbom=false', '--metadata-file', digestFile];
  const tag = ['--tag', `${image}:${given.VERSION}`, '--push'];
  return [
    'buildx',
    'build',
    '--platform',
    PLATFORMS,
    '--file',
    dockerfile,
    ...values,
    ...plain,
    ...tag,
    '.',
  ];
}

export async function buildImages(
  prefix: string,
  given: BuildArguments,
  root: string,
): Promise<ReleasedImage[]> {
  const built: ReleasedImage[] = [];
  for (const { name, dockerfile } of IMAGES) {
    const image = `${prefix}/${name}`;
    const digest = await withTemporaryDir(async (dir) => {
      const file = path.join(dir, 'metadata.json');
      await run('docker', buildCommand(image, dockerfile, given, file), {
        cwd: root,
        env: process.env,
      });
      return parseDigest(JSON.parse(await readFile(file, 'utf8'))['containerimage.digest']);
    });
    built.push({ name: image, dockerfile, digest });
  }
  return built;
}

export interface Attaching {
  transport: Transport;
  credentials?: RegistryCredentials | undefined;
  trivy: string;
  /** Where the documents are also stored as files. */
  dir: string;
  build: Omit<Build, 'name' | 'digest' | 'dockerfile'>;
}

/** Returns the image with its attached artifacts. */
export async function attachAll(image: ReleasedImage, to: Attaching): Promise<ReleasedImage> {
  const { name, digest, dockerfile } = image;
  const repository = openNamed(parseNamedImage(name), to.transport, to.credentials);
  const attached = [];
  for (const { subject, label } of await platformsOf(repository, digest)) {
    const bytes = await sbomOf(to.trivy, name, subject.digest);
    attached.push(
      await keep(subject, CYCLONEDX, bytes, `${path.basename(name)}-${label}.cdx.json`),
    );
  }
  const { descriptor } = await repository.manifest(digest);
  const statement = JSON.stringify(provenanceOf({ name, digest, dockerfile, ...to.build }));
  const file = `${path.basename(name)}.provenance.json`;
  attached.push(await keep(descriptor, IN_TOTO, new TextEncoder().encode(statement), file));
  return { ...image, attached };

  async function keep(subject: Descriptor, mediaType: string, bytes: Uint8Array, title: string) {
    const artifact = await attach(repository, subject, { mediaType, bytes, title });
    await writeFile(path.join(to.dir, title), bytes);
    return { subject: subject.digest, mediaType, digest: artifact.digest, file: title };
  }
}

/** The manifests that get an SBOM: each of the index, or the only one. */
async function platformsOf(
  repository: Repository,
  digest: Digest,
): Promise<{ subject: Descriptor; label: string }[]> {
  const { descriptor, bytes } = await repository.manifest(digest);
  const document = await parseManifest(bytes, descriptor.mediaType);
  if (document.kind === 'manifest') return [{ subject: descriptor, label: 'image' }];
  return document.manifests.flatMap((subject) =>
    subject.platform && subject.platform.os !== 'unknown'
      ? [{ subject, label: platformName(subject.platform).replaceAll('/', '-') }]
      : [],
  );
}

/** False for a missing image; an unreachable registry is an error. */
function absentOnly(error: unknown): false {
  if (error instanceof Error && 'kind' in error && error.kind === 'not_found') return false;
  throw error;
}

/** What the registry lacks of a release; empty where each image has all its artifacts. */
export async function missingOf(
  { name, digest, attached = [] }: ReleasedImage,
  { transport, credentials }: Pick<Attaching, 'transport' | 'credentials'>,
): Promise<string[]> {
  const repository = openNamed(parseNamedImage(name), transport, credentials);
  const there = await repository.resolve(digest).then(() => true, absentOnly);
  if (!there) return [`${name}@${digest} is not in the registry`];
  const missing = attached.map(async ({ subject, digest: artifact, file }) => {
    const listed = await repository.referrers(subject);
    return listed.some((each) => each.digest === artifact)
      ? []
      : [`${name}@${subject} has no ${file} attached`];
  });
  return (await Promise.all(missing)).flat();
}
