/** Describes a manifest for the image index: its contents, platforms, sizes and subject. */
import { isAppError } from '@portcullis/errors';
import {
  artifactTypeOf,
  type Descriptor,
  type Digest,
  type Index,
  isImageConfigType,
  isManifestType,
  type Manifest,
  parseManifest,
  parseStrictJson,
  platformName,
  readWhole,
  type Source,
  successors,
} from '@portcullis/oci';

export interface DescribedManifest {
  digest: Digest;
  mediaType: string;
  artifactType: string | null;
  subject: Digest | null;
  /** What a list of the referrers of `subject` says of it; null without a subject. */
  referrer: { artifactType: string | null; annotations: Record<string, string> | null } | null;
  size: number;
  contents: { digest: Digest; size: number; isManifest: boolean }[];
  platforms: string[];
}

export interface DescribeOptions {
  /** Digests that are in the index already. */
  known(digests: Digest[]): Promise<ReadonlySet<string>>;
  /** The bytes of the root manifest, if the caller has them. */
  bytes?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 4;

/**
 * Children come first, the root's facts last. A child that the repository does not have is omitted,
 * as in a sparse index.
 */
export async function describeImage(
  source: Source,
  root: Descriptor,
  options: DescribeOptions,
): Promise<DescribedManifest[]> {
  return describe(source, root, { ...options, depth: 0 });
}

type Options = DescribeOptions & { depth: number };

async function describe(
  source: Source,
  descriptor: Descriptor,
  options: Options,
): Promise<DescribedManifest[]> {
  const bytes = options.bytes ?? (await read(source, descriptor, options.signal));
  const document = await parse(bytes, descriptor.mediaType);
  const beneath =
    document?.kind === 'index' ? await describeChildren(source, document, options) : NOTHING;
  const platforms = document
    ? (await platformsOf(source, document, options.signal)).filter(isPlain)
    : [];
  const { found, absent } = beneath;
  return [...found, factsOf(descriptor, document, { platforms, absent })];
}

interface Beneath {
  found: DescribedManifest[];
  /** What the index lists and the repository lacks. */
  absent: ReadonlySet<string>;
}

const NOTHING: Beneath = { found: [], absent: new Set() };

async function describeChildren(source: Source, index: Index, options: Options): Promise<Beneath> {
  if (options.depth >= MAX_DEPTH) return NOTHING;
  const children = successors(index).filter(({ mediaType }) => isManifestType(mediaType));
  const known = await options.known(children.map(({ digest }) => digest));
  const found: DescribedManifest[] = [];
  const absent = new Set<string>();
  for (const child of children.filter(({ digest }) => !known.has(digest))) {
    const rest = { ...options, bytes: undefined, depth: options.depth + 1 };
    const described = await orDefault(() => describe(source, child, rest), []);
    if (described.length === 0) absent.add(child.digest);
    found.push(...described);
  }
  return { found, absent };
}

/** The registry accepted it: a manifest that we cannot parse is stored without its contents. */
async function parse(bytes: Uint8Array, mediaType: string): Promise<Manifest | Index | null> {
  try {
    return await parseManifest(bytes, mediaType);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function factsOf(
  { digest, mediaType, size }: Descriptor,
  document: Manifest | Index | null,
  { platforms, absent }: Pick<DescribedManifest, 'platforms'> & Pick<Beneath, 'absent'>,
): DescribedManifest {
  const contents = document ? successors(document) : [];
  return {
    digest,
    mediaType,
    artifactType: document && !isImage(document) ? plainType(document) : null,
    subject: document?.subject?.digest ?? null,
    referrer: document?.subject
      ? { artifactType: plainType(document), annotations: document.annotations ?? null }
      : null,
    size,
    contents: contents.map((each) => ({
      digest: each.digest,
      // What is not here takes up no space, whatever the index says of it.
      size: absent.has(each.digest) ? 0 : each.size,
      isManifest: document?.kind === 'index',
    })),
    platforms,
  };
}

/**
 * The values come from third parties: PostgreSQL stores no NUL, and one image must not keep its
 * whole repository out of the index.
 */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

function plainType(document: Manifest | Index): string | null {
  const type = artifactTypeOf(document);
  return type !== undefined && isPlain(type) ? type : null;
}

function isImage(document: Manifest | Index): boolean {
  if (document.kind === 'index' || document.artifactType) return false;
  return isImageConfigType(document.config.mediaType);
}

async function platformsOf(
  source: Source,
  document: Manifest | Index,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (document.kind === 'manifest') return configPlatform(source, document.config, signal);
  const named = document.manifests.flatMap(({ platform }) =>
    platform ? [platformName(platform)] : [],
  );
  return [...new Set(named.filter((name) => !name.startsWith('unknown/')))];
}

async function configPlatform(
  source: Source,
  config: Descriptor,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (!isImageConfigType(config.mediaType) || config.size > MAX_CONFIG_BYTES) return [];
  const bytes = await orDefault(() => read(source, config, signal), null);
  const { os, architecture, variant } = bytes ? await fieldsOf(bytes) : {};
  if (typeof os !== 'string' || typeof architecture !== 'string') return [];
  return [platformName({ os, architecture, ...(typeof variant === 'string' && { variant }) })];
}

async function fieldsOf(bytes: Uint8Array): Promise<Record<string, unknown>> {
  try {
    const value = await parseStrictJson(bytes);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function read(
  source: Source,
  descriptor: Descriptor,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return readWhole(await source.fetch(descriptor, { signal }), descriptor);
}

/** Removed meanwhile, or invalid: clients get the error, the index skips it. */
async function orDefault<T>(work: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error) && (error.kind === 'not_found' || error.kind === 'invalid'))
      return nothing;
    throw error;
  }
}
