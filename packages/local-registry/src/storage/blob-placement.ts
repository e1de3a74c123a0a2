/**
 * Places blobs in the registry's storage, in the layout of its file-system driver (path version
 * v2): as hard links or reflinks to files of this machine, so that no byte is copied, or written
 * there. Each step is atomic: a crash leaves a blob that no repository has, which garbage
 * collection removes.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { algorithmOf, type Descriptor, type Digest, encodedOf } from '@portcullis/oci';
import { abandonedFiles } from './abandoned-files.ts';
import { ifThere, inDirectory } from './directory-files.ts';
import { blobPath, OWN_ENTRY, repositoriesDir, repositoryDir } from './storage.ts';

export interface BlobPlacement {
  /** Whether the repository has the blob. */
  has(repository: string, descriptor: Descriptor): Promise<boolean>;
  /** Whether the file has the blob's size; nothing is written. */
  isPlaceable(descriptor: Descriptor, file: string): Promise<boolean>;
  /**
   * Links the verified file into the storage and the blob to the repository. False where it has to
   * be uploaded: there is no such file, or the file systems allow neither kind of link.
   */
  place(repository: string, descriptor: Descriptor, file: string): Promise<boolean>;
  /**
   * Stores what `fill` writes, and links the blob to the repository. False where it has to be
   * uploaded, such as on a full disk.
   * @param fill writes the whole verified blob to the path, where nothing exists
   * @throws what `fill` throws, unless that is a system error; nothing is stored then
   */
  write(
    repository: string,
    descriptor: Descriptor,
    fill: (path: string) => Promise<void>,
  ): Promise<boolean>;
  /** Links the repository to a blob (by SHA-256) of another one; false where it has none. */
  mount(repository: string, from: string, digest: Digest): Promise<boolean>;
  /**
   * Removes the file of a digest whose size is not that of the content: the registry stores nothing
   * where it has a file.
   */
  dropDamaged(digest: Digest, size: number): Promise<void>;
  /** Makes a placed blob known by a digest of another algorithm than SHA-256 as well. */
  alias(repository: string, digest: Digest, blob: Digest): Promise<void>;
}

const DRAFTS = `${OWN_ENTRY}drafts`;
/** A process was killed while it wrote. */
const ABANDONED_MS = 3_600_000;

/**
 * @returns null where the storage belongs to another user id: what we link there, the registry
 * could not read or delete
 */
export async function openBlobPlacement(storageDir: string): Promise<BlobPlacement | null> {
  const facts = await ifThere(() => stat(storageDir));
  if (facts === null || facts.uid !== process.getuid?.()) return null;
  const drafts = join(storageDir, DRAFTS);
  const removeAbandoned = abandonedFiles(drafts, ABANDONED_MS);
  await removeAbandoned();

  const linkPath = (repository: string, digest: Digest) =>
    join(
      repositoryDir(storageDir, repository),
      '_layers',
      algorithmOf(digest),
      encodedOf(digest),
      'link',
    );

  /** Prepared elsewhere, so that no reader sees half of it. */
  async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
    void removeAbandoned();
    await mkdir(dirname(path), { recursive: true });
    const draft = join(drafts, randomUUID());
    try {
      await inDirectory(drafts, () => write(draft));
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** The registry creates its directories with its first push. */
  const isStorable = async (descriptor: Descriptor) =>
    isBySha256(descriptor) && (await isThere(repositoriesDir(storageDir)));

  async function placeBlob(repository: string, descriptor: Descriptor, file: string) {
    if (!(await isStorable(descriptor))) return false;
    if (!(await hasSize(file, descriptor)) || !(await placeData(descriptor, file))) return false;
    await linkTo(repository, descriptor.digest, descriptor.digest);
    return true;
  }

  async function writeBlob(
    repository: string,
    descriptor: Descriptor,
    fill: (path: string) => Promise<void>,
  ) {
    if (!(await isStorable(descriptor))) return false;
    await replace(blobPath(storageDir, descriptor.digest), fill);
    await linkTo(repository, descriptor.digest, descriptor.digest);
    return true;
  }

  const linkTo = (repository: string, digest: Digest, blob: Digest) =>
    replace(linkPath(repository, digest), (draft) => writeFile(draft, blob));

  async function placeData(descriptor: Descriptor, file: string): Promise<boolean> {
    const path = blobPath(storageDir, descriptor.digest);
    await mkdir(dirname(path), { recursive: true });
    try {
      await link(file, path);
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST'))
        return (await hasSize(path, descriptor)) || (await replaced(file, path));
      if (!isCode(error, ...NO_LINK)) throw error;
    }
    return reflinked(file, path);
  }

  /** What is there was cut short, by a crash or a full disk. */
  async function replaced(file: string, path: string): Promise<boolean> {
    try {
      await replace(path, (draft) => link(file, draft));
      return true;
    } catch (error) {
      if (!isCode(error, ...NO_LINK)) throw error;
    }
    return reflinked(file, path);
  }

  async function reflinked(file: string, path: string): Promise<boolean> {
    try {
      await replace(path, (draft) => copyFile(file, draft, constants.COPYFILE_FICLONE_FORCE));
      return true;
    } catch (error) {
      if (isCode(error, ...NO_REFLINK)) return false;
      throw error;
    }
  }

  return {
    async has(repository, descriptor) {
      if (!isBySha256(descriptor)) return false;
      if (!(await isThere(linkPath(repository, descriptor.digest)))) return false;
      return hasSize(blobPath(storageDir, descriptor.digest), descriptor);
    },
    isPlaceable: async (descriptor, file) =>
      isBySha256(descriptor) && (await hasSize(file, descriptor)),
    place: (repository, descriptor, file) =>
      unlessSystemError(() => placeBlob(repository, descriptor, file)),
    write: (repository, descriptor, fill) =>
      unlessSystemError(() => writeBlob(repository, descriptor, fill)),
    mount: (repository, from, digest) =>
      unlessSystemError(async () => {
        const blob = await ifThere(() => lstat(blobPath(storageDir, digest)));
        if (!blob?.size || !(await isThere(linkPath(from, digest)))) return false;
        await linkTo(repository, digest, digest);
        return true;
      }),
    alias: linkTo,
    async dropDamaged(digest, size) {
      const path = blobPath(storageDir, digest);
      await unlessSystemError(async () => {
        const facts = await ifThere(() => lstat(path));
        if (facts?.isFile() && facts.size !== size) await rm(path);
        return true;
      });
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return (await ifThere(() => lstat(path))) !== null;
}

/**
 * False after a system error, such as a full disk or a missing permission: the registry's answer to
 * the upload says it.
 */
async function unlessSystemError(store: () => Promise<boolean>): Promise<boolean> {
  try {
    return await store();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** The registry stores all content by that algorithm, and keeps a table of the other names. */
export function isBySha256({ digest }: Descriptor): boolean {
  return algorithmOf(digest) === 'sha256';
}

/** Errors for another file system or mount, one without hard links, or too many links. */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'] as const;
const NO_REFLINK = ['EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'ENOTTY'] as const;

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return isSystemError(error) && codes.includes(error.code);
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

async function hasSize(path: string, { size }: Descriptor): Promise<boolean> {
  const facts = await ifThere(() => lstat(path));
  return facts?.isFile() === true && facts.size === size;
}
