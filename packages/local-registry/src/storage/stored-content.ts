/**
 * Reads a repository's blobs, tags and manifest links from the registry's storage in a directory
 * (file-system driver, path version v2). Null means "ask the registry": the content is not there,
 * is being written, or is addressed by another algorithm than SHA-256.
 */
import { type BigIntStats, constants, existsSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readFile, stat } from 'node:fs/promises';
import { algorithmOf, type Digest, encodedOf, isDigest } from '@portcullis/oci';
import { LRUCache } from 'lru-cache';
import { ifThere } from './directory-files.ts';
import { isOfThisMachine } from './local-disk.ts';
import { blobPath, repositoriesDir } from './storage.ts';

interface StoredBlob {
  size: number;
  /** Stays readable when the blob is deleted. Belongs to the caller, who closes it. */
  file: FileHandle;
}

/** @param repository a validated name (`parseRepository`): it becomes a path */
export interface StoredContent {
  /** A blob that is linked to the repository. */
  openBlob(repository: string, digest: Digest): Promise<StoredBlob | null>;
  /** In bytes, of a blob that is linked to the repository. */
  blobSize(repository: string, digest: Digest): Promise<number | null>;
  /** The digest of the manifest that the tag names. */
  taggedDigest(repository: string, tag: string): Promise<Digest | null>;
  /** A manifest of the repository; see `openBlob`. */
  openManifest(repository: string, digest: Digest): Promise<StoredBlob | null>;
  /** Whether the repository has the manifest. */
  hasManifest(repository: string, digest: Digest): Promise<boolean>;
  /**
   * Whether tags and manifests are those of this moment. A network's file system may show moved
   * tags and deleted manifests for a minute: only blobs are read from it.
   */
  isFresh(): boolean;
}

/**
 * Asks for the attributes of link files. Those that were there before are asked for synchronously:
 * the kernel has them in memory, and a thread for the question costs ten times as much.
 */
function linkReader(isLocal: () => boolean): (path: string) => Promise<BigIntStats | null> {
  const recent = new LRUCache<string, true>({ max: MOST_LINKS });
  return async (path) => {
    if (isLocal() && recent.has(path)) {
      const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (facts) return facts;
      recent.delete(path);
      return null;
    }
    const facts = await ifThere(() => stat(path, { bigint: true }));
    if (facts) recent.set(path, true);
    return facts;
  };
}

/**
 * The length of a link file: `sha256:` and 64 digits. The registry truncates it before it writes.
 */
const LINK_BYTES = 71n;
const MOST_TAGS = 20_000;
const MOST_LINKS = 50_000;
/**
 * Two writes within one tick of a file system's clock have equal times; remote clocks differ too.
 */
const UNSETTLED_NS = 2_000_000_000n;

export function storedContent(storageDir: string): StoredContent {
  const tags = new LRUCache<string, KnownLink>({ max: MOST_TAGS });
  const root = repositoriesDir(storageDir);
  // Not `join`, which takes a tenth of what a read of a manifest allocates.
  const linkIn = (repository: string, place: string) => `${root}/${repository}/${place}/link`;

  let isLocal: boolean | null = null;
  function isFresh(): boolean {
    isLocal ??= existsSync(storageDir) ? isOfThisMachine(storageDir) : null;
    return isLocal === true;
  }
  const links = linkReader(isFresh);

  async function isLinked(path: string): Promise<boolean> {
    const facts = await links(path);
    return facts?.isFile() === true && facts.size === LINK_BYTES;
  }

  const isLinkedBlob = (repository: string, digest: Digest) =>
    isLinked(linkIn(repository, `_layers/sha256/${encodedOf(digest)}`));

  async function hasManifest(repository: string, digest: Digest): Promise<boolean> {
    if (algorithmOf(digest) !== 'sha256') return false;
    return isLinked(linkIn(repository, `_manifests/revisions/sha256/${encodedOf(digest)}`));
  }

  return {
    isFresh,
    async blobSize(repository, digest) {
      if (algorithmOf(digest) !== 'sha256') return null;
      if (!(await isLinkedBlob(repository, digest))) return null;
      const facts = await ifThere(() => lstat(blobPath(storageDir, digest)));
      return facts?.isFile() ? facts.size : null;
    },
    async openBlob(repository, digest) {
      if (algorithmOf(digest) !== 'sha256') return null;
      if (!(await isLinkedBlob(repository, digest))) return null;
      return openFile(blobPath(storageDir, digest));
    },
    async taggedDigest(repository, tag) {
      const path = linkIn(repository, `_manifests/tags/${tag}/current`);
      const facts = await links(path);
      if (facts === null) return null;
      const known = tags.get(path);
      if (known && known.inode === facts.ino && known.writtenAt === facts.mtimeNs)
        return known.digest;
      const digest = await readLink(path);
      if (digest === null) return null;
      // Else a second write in the same tick would never be noticed.
      if (BigInt(Date.now()) * 1_000_000n - facts.mtimeNs > UNSETTLED_NS)
        tags.set(path, { inode: facts.ino, writtenAt: facts.mtimeNs, digest });
      return digest;
    },
    hasManifest,
    openManifest: async (repository, digest) =>
      (await hasManifest(repository, digest)) ? openFile(blobPath(storageDir, digest)) : null,
  };
}

interface KnownLink {
  inode: bigint;
  writtenAt: bigint;
  digest: Digest;
}

async function readLink(path: string): Promise<Digest | null> {
  const text = await ifThere(() => readFile(path, 'latin1'));
  return text !== null && BigInt(text.length) === LINK_BYTES && isDigest(text) ? text : null;
}

async function openFile(path: string): Promise<StoredBlob | null> {
  const file = await ifThere(() => open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (file === null) return null;
  try {
    const facts = await file.stat();
    if (facts.isFile()) return { size: facts.size, file };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}
