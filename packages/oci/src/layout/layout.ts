/**
 * OCI image layout on disk, as a source and a target. Its blobs are hard links to the blob cache.
 */
import { mkdir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readWhole } from '../copy/buffered.ts';
import type {
  MoveBlob,
  OpenContent,
  PushOptions,
  ReferrerLister,
  Target,
} from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { algorithmOf, type Digest, encodedOf, isDigest } from '../model/digest.ts';
import { assertSize, parseManifest } from '../model/manifest.ts';
import { isManifestType } from '../model/media-type.ts';
import { notFound, unavailable } from '../oci-error.ts';
import { type BlobCache, isBlob } from './blob-cache.ts';
import { fileContent } from './file-content.ts';
import { openIndexFile, replaceFile, tagged, tagOf, untagged } from './index-file.ts';
import { storageError } from './storage-error.ts';

/** The cache may be pruned between storing a blob and linking it. */
const ATTEMPTS = 3;

export interface Layout extends Target, ReferrerLister {
  readonly dir: string;
  /** The file of a blob or manifest, whether or not it exists. Only complete content has it. */
  fileOf(digest: Digest): string;
  /**
   * Every manifest and index, once, with the platform and annotations of its entry in `index.json`.
   */
  manifests(): Promise<Descriptor[]>;
}

export function openLayout(dir: string, cache: BlobCache): Layout {
  const index = openIndexFile(dir);
  let ready: Promise<unknown> | undefined;
  /** A digest has one subject, so each manifest is read once for all lists of referrers. */
  const subjects = new Map<Digest, Digest | 'none'>();

  const pathOf = (digest: Digest) => join(dir, 'blobs', algorithmOf(digest), encodedOf(digest));
  const prepare = () => {
    ready ??= createDirs(dir);
    return ready;
  };
  const fetch: Layout['fetch'] = (descriptor, options) =>
    fileContent(pathOf(descriptor.digest), descriptor, options);

  const pushBlob = async (descriptor: Descriptor, open: OpenContent, options: PushOptions) => {
    await prepare();
    const path = pathOf(descriptor.digest);
    const { opened, noted, move } = noting(open, options.move);
    const kept: OpenContent = (part) => cache.fetch(descriptor, part);
    const confirmed = async () => opened() || options.confirm?.(kept);
    if (await cache.has(descriptor)) {
      await confirmed();
      if (await cache.link(descriptor, path)) return options.onBytes?.(descriptor.size, 'reused');
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await cache.store(descriptor, noted, { ...options, move });
      await confirmed();
      if (await cache.link(descriptor, path)) return;
    }
    throw unavailable('LAYOUT_GONE', 'the layout was removed while it was written');
  };
  const isListed = async ({ digest }: Descriptor) =>
    (await index.entries()).some((entry) => entry.digest === digest);

  return {
    dir,
    fileOf: pathOf,
    fetch,
    exists: onDisk(async (descriptor) => {
      if (!(await isBlob(pathOf(descriptor.digest), descriptor))) return false;
      return !isManifestType(descriptor.mediaType) || isListed(descriptor);
    }),
    push: onDisk(async (descriptor, open, options = {}) => {
      await pushBlob(descriptor, open, options);
      if (!isManifestType(descriptor.mediaType)) return;
      await syncDir(join(dir, 'blobs', algorithmOf(descriptor.digest)));
      const { tag } = options;
      await index.change((entries) => {
        const known = addListed(entries, descriptor);
        return tag === undefined ? known : withTag(known, descriptor, tag);
      });
    }),
    async resolve(reference) {
      const entries = await index.entries();
      const found = entries.find(
        (entry) => (isDigest(reference) ? entry.digest : tagOf(entry)) === reference,
      );
      if (!found) throw notFound('MANIFEST_UNKNOWN', `the layout has no ${reference}`);
      return bare(found);
    },
    tag: onDisk(async (descriptor, tag) => {
      await index.change((entries) => withTag(entries, descriptor, tag));
    }),
    async manifests() {
      const entries = (await index.entries()).map(untagged);
      return [...new Map(entries.map((entry) => [entry.digest, entry])).values()];
    },
    async referrers(digest) {
      const found: Descriptor[] = [];
      for (const entry of await this.manifests()) {
        const subject = subjects.get(entry.digest) ?? (await subjectOf(fetch, entry));
        subjects.set(entry.digest, subject);
        if (subject === digest) found.push(entry);
      }
      return found;
    },
  };
}

/**
 * Records whether this caller opened its source. If another caller's download was used, possession
 * is unproven.
 */
function noting(open: OpenContent, mover: MoveBlob | undefined) {
  let wasOpened = false;
  const onOpened = () => {
    wasOpened = true;
  };
  const move: MoveBlob | undefined =
    mover && ((path, options) => mover(path, { ...options, onOpened }));
  const noted: OpenContent = async (options) => {
    const content = await open(options);
    onOpened();
    return content;
  };
  return { opened: () => wasOpened, noted, move };
}

async function createDirs(dir: string): Promise<void> {
  await mkdir(join(dir, 'blobs', 'sha256'), { recursive: true });
  await mkdir(join(dir, 'blobs', 'sha512'), { recursive: true });
  await replaceFile(join(dir, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

function addListed(entries: Descriptor[], descriptor: Descriptor): Descriptor[] {
  const isKnown = entries.some(({ digest }) => digest === descriptor.digest);
  return isKnown ? entries : [...entries, untagged(descriptor)];
}

/** @throws not_found if the manifest has not been pushed */
function withTag(entries: Descriptor[], descriptor: Descriptor, tag: string): Descriptor[] {
  const known = entries.find(({ digest }) => digest === descriptor.digest);
  if (!known) throw notFound('MANIFEST_UNKNOWN', `the layout has no ${descriptor.digest}`);
  // A manifest that loses its tag stays, addressable by digest.
  const moved = entries.map((entry) => (tagOf(entry) === tag ? untagged(entry) : entry));
  const others = moved.filter(
    (entry) => entry.digest !== known.digest || tagOf(entry) !== undefined,
  );
  return deduplicated([tagged(known, tag), ...others]);
}

function deduplicated(entries: Descriptor[]): Descriptor[] {
  return [
    ...new Map(entries.map((entry) => [`${entry.digest} ${tagOf(entry) ?? ''}`, entry])).values(),
  ];
}

async function subjectOf(fetch: Layout['fetch'], entry: Descriptor): Promise<Digest | 'none'> {
  assertSize(entry.size);
  const bytes = await readWhole(await fetch(entry), entry);
  const { subject } = await parseManifest(bytes, entry.mediaType);
  return subject?.digest ?? 'none';
}

function bare({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

/** Makes the hard links in a directory durable. */
async function syncDir(path: string): Promise<void> {
  await using dir = await openFile(path, 'r');
  await dir.sync();
}

function onDisk<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      throw storageError(error);
    }
  };
}
