/**
 * The details of an image: platforms, layers with their build steps, configuration and referrers.
 */

import {
  LOCAL_REGISTRY_ID,
  type Principal,
  type SeverityCounts,
  type Verdict,
} from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import {
  type Descriptor,
  type Index,
  isImageConfigType,
  isManifestType,
  type Manifest,
  type Platform,
  parseManifest,
  platformName,
  readWhole,
} from '@portcullis/oci';
import type { FetchedManifest, Repository } from '@portcullis/oci/remote';
import type { GateBypass, Images, IndexedReferrer, JobSummary } from '@portcullis/store';
import { readImageConfig, type ShownConfig } from './image-config.ts';
import {
  noImage,
  type OpenedRepository,
  type RegistryScope,
  type Repositories,
} from './repositories.ts';
import type { JudgedReport, Standings } from './standings.ts';

export interface DetailPorts {
  images: Pick<Images, 'referrers' | 'judged' | 'bypass'>;
  standings: Pick<Standings, 'standing'>;
  repositories: Repositories;
}

export interface DetailQuery {
  repository: string;
  tag: string;
  platform: string | undefined;
}

interface PlatformImage {
  platform: Platform;
  digest: string;
  size: number;
}

export interface ImageFacts {
  root: Descriptor;
  size: number;
  platforms: PlatformImage[];
  layers: (Descriptor & { createdBy: string | null })[];
  config: ShownConfig;
  referrers: IndexedReferrer[];
  scan: JudgedScan | null;
  bypass: GateBypass | null;
}

export interface JudgedScan {
  verdict: Verdict;
  counts: SeverityCounts | null;
  at: Date;
  /** Null where the caller may not read the job. */
  jobId: string | null;
}

const PATIENCE_MS = 20_000;
/** Sizes are reported for the first platforms only. */
const MOST_PLATFORMS = 64;
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

export function createDetail({ images, repositories, standings }: DetailPorts) {
  return async function detail(scope: RegistryScope, query: DetailQuery): Promise<ImageFacts> {
    const { principal } = scope;
    const opened = await repositories.open(scope, query.repository, 'pull');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const found = await opened.ask(noImage(query.repository, query.tag), (repository) =>
      read(repository, query, signal),
    );
    const { digest } = found.root;
    const [referrers, job, known, bypass] = await Promise.all([
      referrersOf(images, opened, found.root, signal),
      // A registry may claim any digest: outside the local one, only jobs of the caller count.
      images.judged(digest, opened.local || principal.isAdmin ? null : principal.id),
      standings.standing({
        registryId: opened.local ? LOCAL_REGISTRY_ID : scope.registryId,
        repository: query.repository,
        digest,
      }),
      opened.local ? images.bypass(opened.name, digest) : null,
    ]);
    const scan = job && scanOf(job, principal);
    const standing = opened.local || job ? known : null;
    return { ...found, referrers, bypass, scan: standing ? asOf(standing, scan) : scan };
  };
}

/** Accounts that may read the image may read its findings; the job is visible to its owner only. */
function scanOf(
  { id, ownerId, verdict, vulnResult, ...job }: JobSummary,
  reader: Principal,
): JudgedScan {
  const scanned = job.timeline.findLast(({ status }) => status === 'scanning');
  const counts = vulnResult?.enabled ? vulnResult.counts : null;
  const readable = reader.isAdmin || reader.id === ownerId;
  return { verdict, counts, at: scanned?.at ?? job.createdAt, jobId: readable ? id : null };
}

/** The newest report under the present policy, by a job or a scan on demand. */
function asOf({ verdict, counts, scannedAt }: JudgedReport, scan: JudgedScan | null): JudgedScan {
  return { verdict, counts, at: scannedAt, jobId: scan?.jobId ?? null };
}

type Parts = Omit<ImageFacts, 'referrers' | 'scan' | 'bypass'>;

async function read(
  repository: Repository,
  query: DetailQuery,
  signal: AbortSignal,
): Promise<Parts> {
  const root = await repository.manifest(query.tag, { signal });
  const document = parsed(root);
  return document.kind === 'manifest'
    ? readSingle(repository, root, document, { query, signal })
    : readIndex(repository, root, document, { query, signal });
}

interface Reading {
  query: DetailQuery;
  signal: AbortSignal;
}

async function readSingle(
  repository: Repository,
  root: FetchedManifest,
  manifest: Manifest,
  { query, signal }: Reading,
): Promise<Parts> {
  const config = await configOf(repository, manifest, signal);
  const { digest } = root.descriptor;
  const size = sizeOf([{ fetched: root, document: manifest }]);
  const platforms = config.platform ? [{ platform: config.platform, digest, size }] : [];
  if (query.platform !== undefined) choose(platforms, query.platform);
  return { root: root.descriptor, size, platforms, layers: layersOf(manifest, config), config };
}

async function readIndex(
  repository: Repository,
  root: FetchedManifest,
  index: Index,
  { query, signal }: Reading,
): Promise<Parts> {
  const children = await readChildren(repository, index, signal);
  const size = sizeOf([{ fetched: root, document: index }, ...children]);
  const platforms = children.flatMap((child) => {
    const { platform, digest } = child.descriptor;
    return platform && platform.os !== 'unknown'
      ? [{ platform, digest, size: sizeOf([child]) }]
      : [];
  });
  const chosen = choose(platforms, query.platform);
  const picked = children.find(({ descriptor }) => descriptor.digest === chosen?.digest)?.document;
  const manifest = picked?.kind === 'manifest' ? picked : null;
  const config = manifest ? await configOf(repository, manifest, signal) : readImageConfig(null);
  const layers = manifest ? layersOf(manifest, config) : [];
  return { root: root.descriptor, size, platforms, layers, config };
}

interface Read {
  fetched: FetchedManifest;
  document: Manifest | Index;
}

/** Skips missing children of an incomplete index. */
async function readChildren(repository: Repository, index: Index, signal: AbortSignal) {
  const children = index.manifests
    .filter(({ mediaType }) => isManifestType(mediaType))
    .slice(0, MOST_PLATFORMS);
  const read = await Promise.all(
    children.map(async (descriptor) => {
      if (!(await repository.exists(descriptor, { signal }))) return null;
      const fetched = await repository.manifest(descriptor.digest, { signal });
      return { descriptor, fetched, document: parsed(fetched) };
    }),
  );
  return read.filter((child) => child !== null);
}

function parsed({ bytes, descriptor }: FetchedManifest): Manifest | Index {
  return parseManifest(bytes, descriptor.mediaType);
}

/** Each blob counts once. */
function sizeOf(manifests: readonly Read[]): number {
  const sizes = new Map<string, number>();
  for (const { fetched, document } of manifests) {
    sizes.set(fetched.descriptor.digest, fetched.descriptor.size);
    if (document.kind === 'index') continue;
    for (const { digest, size } of [document.config, ...document.layers]) sizes.set(digest, size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** The most common platform by default. @throws not_found `PLATFORM_UNKNOWN` */
function choose(platforms: PlatformImage[], wanted: string | undefined): PlatformImage | undefined {
  if (wanted === undefined)
    return platforms.find((each) => nameOf(each) === 'linux/amd64') ?? platforms[0];
  const exact = platforms.find((each) => nameOf(each) === wanted);
  const found = exact ?? platforms.find((each) => nameOf(each).startsWith(`${wanted}/`));
  if (!found) throw notFound('PLATFORM_UNKNOWN', `The image has no ${wanted}.`);
  return found;
}

function nameOf({ platform }: PlatformImage): string {
  return platformName(platform);
}

async function configOf(
  repository: Repository,
  { config }: Manifest,
  signal: AbortSignal,
): Promise<ShownConfig> {
  if (!isImageConfigType(config.mediaType) || config.size > MAX_CONFIG_BYTES)
    return readImageConfig(null);
  return readImageConfig(await readWhole(await repository.fetch(config, { signal }), config));
}

/**
 * Some history entries have no layer. If the others do not match the layers, no build steps are
 * shown.
 */
function layersOf({ layers }: Manifest, { steps }: ShownConfig): ImageFacts['layers'] {
  const fits = steps.length === layers.length;
  return layers.map((layer, at) => ({ ...layer, createdBy: fits ? (steps[at] ?? null) : null }));
}

/**
 * The registry lists referrers of the tag schema; our index adds those pushed with `OCI-Subject`.
 */
async function referrersOf(
  images: DetailPorts['images'],
  { name, local, ask }: OpenedRepository,
  { digest }: Descriptor,
  signal: AbortSignal,
): Promise<IndexedReferrer[]> {
  const listed = await ask(noImage(name, digest), (repository) =>
    repository.referrers(digest, { signal }),
  );
  const indexed = local ? await images.referrers(name, digest) : [];
  const fromRegistry = listed.map(({ artifactType = null, ...rest }) => ({
    digest: rest.digest,
    mediaType: rest.mediaType,
    artifactType,
    size: rest.size,
  }));
  return [
    ...new Map([...fromRegistry, ...indexed].map((each) => [String(each.digest), each])).values(),
  ];
}
