/**
 * The pull door: decides about a manifest of the local registry for an account. An index is served
 * when an image in it may be; each image is decided by its own report. An artifact with a subject
 * follows its subject.
 */
import {
  decidePull,
  type GateDoor,
  type PullDecision,
  type PullGateMode,
} from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { ManifestShape, ShapeOf } from './manifest-shape.ts';
import type { ImageInFolder, JudgedImageInFolder } from './standing-cache.ts';

export interface PullRequest {
  door: GateDoor;
  image: ImageInFolder;
  /** The repository that has the content, where the image is not in its own yet. */
  contentIn?: string | undefined;
  mode: PullGateMode;
  /** Whether the account may pull what is blocked. */
  bypasses: boolean;
  /** Ends the decision, as the client does by leaving. */
  signal?: AbortSignal | undefined;
}

export interface DecidedPull {
  door: GateDoor;
  mode: PullGateMode;
  /** Whether the account may bypass the gate. */
  bypasses: boolean;
  /** The digest that was asked for. */
  requested: string;
  decision: PullDecision;
  /** What the decision is about: the image, an image of the index, or the artifact's subject. */
  judged: JudgedImageInFolder;
  /** The decisions of the manifests in an index. */
  children: DecidedChild[];
}

interface DecidedChild extends DecidedPull {
  platform: string | null;
}

export interface ManifestDecisionPorts {
  shapeOf: ShapeOf;
  /** `isArtifact`: the manifest is no container image, whether it was scanned or not. */
  judge(image: ImageInFolder, isArtifact: boolean): Promise<JudgedImageInFolder>;
  now(): Date;
}

/** The platform of attestations beside images. */
const NO_PLATFORM = 'unknown/unknown';

type IndexShape = Extract<ManifestShape, { kind: 'index' }>;

/** What no engine can run. */
const BLOB = { kind: 'artifact', subject: null } as const;

/** Indexes in indexes, and referrers of referrers. */
const MOST_LEVELS = 4;
const MOST_MANIFESTS = 1_000;
/** Of blobs that one decision reads; what each holds is remembered for the next. */
const MOST_BYTES = 128 * 1024 * 1024;

interface Walk {
  request: Omit<PullRequest, 'image'>;
  level: number;
  /** Manifests that may still be decided, and bytes of blobs that may be read for it. */
  left: { count: number; bytes: number };
}

/** @throws not_found `MANIFEST_UNKNOWN` */
export async function decideManifest(
  ports: ManifestDecisionPorts,
  request: PullRequest,
): Promise<DecidedPull> {
  const walk = { request, level: 0, left: { count: MOST_MANIFESTS, bytes: MOST_BYTES } };
  const shape = await shapeIn(ports, request.image, walk);
  // No report is about it, and its scan could only fail, which a policy may allow.
  if (!shape) throw notFound('MANIFEST_UNKNOWN', 'the repository has no such manifest');
  return decide(ports, request.image, shape, walk);
}

function shapeIn(
  { shapeOf }: ManifestDecisionPorts,
  { digest, repository }: ImageInFolder,
  { request: { contentIn = repository, signal }, left }: Walk,
): ReturnType<ShapeOf> {
  return shapeOf({ repository: contentIn, digest }, { signal, budget: left });
}

async function decide(
  ports: ManifestDecisionPorts,
  image: ImageInFolder,
  shape: ManifestShape,
  walk: Walk,
): Promise<DecidedPull> {
  const isDeep = walk.level >= MOST_LEVELS || walk.left.count < 0;
  if (isDeep || shape.kind === 'image') return decideAlone(ports, image, false, walk);
  const below = { ...walk, level: walk.level + 1 };
  if (shape.kind === 'index') return decideIndex(ports, image, shape, below);
  if (shape.subject === null) return decideAlone(ports, image, true, walk);
  const subject = { ...image, digest: shape.subject };
  const found = await shapeIn(ports, subject, walk);
  if (!found) return decideAlone(ports, image, true, walk);
  return { ...(await decide(ports, subject, found, below)), requested: image.digest };
}

async function decideAlone(
  { judge, now }: ManifestDecisionPorts,
  image: ImageInFolder,
  isArtifact: boolean,
  { request: { door, mode, bypasses } }: Walk,
): Promise<DecidedPull> {
  const judged = await judge(image, isArtifact);
  const { policy, subject, record } = judged;
  const decision = decidePull({ mode, policy, subject, record, bypasses, now: now() });
  const { digest: requested } = image;
  return { door, mode, bypasses, requested, decision, judged, children: [] };
}

async function decideIndex(
  ports: ManifestDecisionPorts,
  index: ImageInFolder,
  { children }: IndexShape,
  walk: Walk,
): Promise<DecidedPull> {
  const images: DecidedChild[] = [];
  const others: DecidedChild[] = [];
  for (const { digest, platform, isManifest } of distinctOf(children)) {
    const child = { ...index, digest };
    const isNamed = platform !== null && platform !== NO_PLATFORM;
    // A blob is not read as a manifest: it may have gigabytes.
    if (!isManifest && !isNamed) continue;
    if (walk.left.count <= 0) {
      // The rest counts as one image: a pull of each is decided on its own, a copy takes all.
      images.push({ ...(await decideAlone(ports, child, false, walk)), platform });
      break;
    }
    walk.left.count -= 1;
    const shape = isManifest ? await shapeIn(ports, child, walk) : BLOB;
    if (!shape) continue; // A sparse index: the manifest cannot be pulled from here.
    // What an engine chooses by its platform is an image, whatever it looks like.
    const isImage = shape.kind === 'artifact' && isNamed;
    const decided = isImage
      ? { ...(await decideAlone(ports, child, false, walk)), platform }
      : { ...(await decide(ports, child, shape, walk)), platform };
    if (shape.kind === 'artifact' && !isImage) others.push(decided);
    else images.push(decided);
  }
  // Attestations and signatures beside images don't make an index of blocked images servable.
  const best = (images.length > 0 ? images : others).toSorted(byOutcome).at(0);
  // An index of images that are gone is no artifact; one without any manifest is.
  if (!best) return decideAlone(ports, index, !children.some(({ isManifest }) => isManifest), walk);
  return { ...best, requested: index.digest, children: [...images, ...others] };
}

/**
 * Each manifest once: an index may list one a thousand times. No descriptor hides that another one
 * says that it is a manifest, or for which platform.
 */
function distinctOf(children: IndexShape['children']): IndexShape['children'] {
  const byDigest = new Map<string, IndexShape['children'][number]>();
  for (const child of children) {
    const known = byDigest.get(child.digest);
    const isManifest = child.isManifest || known?.isManifest === true;
    const platform = child.platform ?? known?.platform ?? null;
    byDigest.set(child.digest, { ...child, isManifest, platform });
  }
  return [...byDigest.values()];
}

/**
 * The decision about all images of an index: a copy takes every one along, where a pull reads each.
 */
export function strictest(decided: DecidedPull): DecidedPull {
  const images = decided.children.map(strictest);
  return images.toSorted(byOutcome).at(-1) ?? decided;
}

/**
 * The strictest decision about the images of an index that machines of these platforms may choose;
 * without platforms, of all. A pull of the index is served for the best one.
 * @returns null where the index has none for them
 */
export function strictestFor(
  decided: DecidedPull,
  platforms: readonly string[],
): DecidedPull | null {
  const images = decided.children.filter(({ judged }) => judged.subject.kind === 'image');
  if (images.length === 0) return decided;
  const isWanted = (platform: string) =>
    platforms.some((each) => `${platform}/`.startsWith(`${each}/`));
  const children = images.filter(
    ({ platform }) => platforms.length === 0 || platform === null || isWanted(platform),
  );
  return children.length === 0 ? null : strictest({ ...decided, children });
}

function byOutcome(one: DecidedPull, other: DecidedPull): number {
  return rank(one.decision) - rank(other.decision);
}

/** Served before held before refused. */
function rank(decision: PullDecision): number {
  if (decision.serve === null) return 4;
  if (!decision.serve) return 5;
  if (!('code' in decision)) return 0;
  return { grace: 1, mode: 2, bypass: 3 }[decision.because];
}
