/**
 * Uploads (distribution spec § Pushing blobs) whose bytes go to a file in the registry's storage,
 * from where the finished blob is linked into place. The file is the whole state of an upload: each
 * process with the storage can continue it, and renames the file while it writes, so that no
 * other request does.
 */
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { algorithmOf, type Digest, parseDigest } from '@portcullis/oci';
import { LRUCache } from 'lru-cache';
import { abandonedFiles } from './abandoned-files.ts';
import { openBlobPlacement } from './blob-placement.ts';
import { ifThere, inDirectory } from './directory-files.ts';
import { type LivePlacement, livePlacement } from './linked-target.ts';
import { OWN_ENTRY, repositoriesDir } from './storage.ts';
import { append, hashOfFile, type UploadFile } from './upload-file.ts';

/** All throw system errors of the storage. */
export interface StoredUploads {
  /** The id of a new upload; null where the registry has to take it. */
  begin(): Promise<string | null>;
  /** The bytes received; null where there is no such upload, or a request is writing it. */
  received(id: string): Promise<number | null>;
  /** Null as `received`. */
  claim(id: string): Promise<ClaimedUpload | null>;
  /**
   * Links the repository to a blob that another one has; false where it has none, null where the
   * registry has to answer.
   */
  mount(repository: string, from: string, digest: Digest): Promise<boolean | null>;
  /** As `BlobPlacement.dropDamaged`. */
  dropDamaged(digest: Digest, size: number): Promise<void>;
  /** Whether the directory is the registry's storage: it confirmed a blob that was stored here. */
  isConfirmed(): boolean;
}

/** One request's own until its `end`. */
export interface ClaimedUpload {
  readonly received: number;
  /** @throws what the body throws; its bytes so far are kept */
  append(body: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Stores the blob in the repository if it has this digest, and ends the upload in any case.
   * @param isInRegistry the registry's own answer, asked for the first blob of a process
   * @returns the SHA-256 digest, under which the registry knows it; null where the storage turns
   * out not to be the registry's, or does not take the blob
   */
  commit(blob: CommittedBlob, isInRegistry: IsInRegistry): Promise<Committed>;
  cancel(): Promise<void>;
  /** Leaves the upload to the next request, unless it was stored or cancelled. */
  end(): Promise<void>;
}

interface CommittedBlob {
  repository: string;
  digest: Digest;
}
type IsInRegistry = (digest: Digest) => Promise<boolean>;
export type Committed = { digest: Digest } | 'mismatch' | 'refused';

const UPLOADS = `${OWN_ENTRY}uploads`;
const ABANDONED_MS = 24 * 3_600_000;
const MOST_HASHES = 1_000;
const ID = /^stored-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the upload is one of ours, and not the registry's. */
export function isStoredUpload(id: string): boolean {
  return ID.test(id);
}

/** @param failed called once, when the directory is not the registry's storage */
export function storedUploads(storageDir: string, failed: () => void): StoredUploads {
  const dir = join(storageDir, UPLOADS);
  const hashes = new LRUCache<string, { hash: Hash; size: number }>({ max: MOST_HASHES });
  let placement: LivePlacement | null = null;
  /** Such as a mount for reading only, which stays one. */
  let mayNotWrite = false;
  const removeAbandoned = abandonedFiles(dir, ABANDONED_MS);

  async function placing(): Promise<LivePlacement | null> {
    if (placement === null) {
      const opened = await openBlobPlacement(storageDir);
      placement ??= opened && livePlacement(opened, failed);
    }
    return placement?.isOn() ? placement : null;
  }

  /** The registry creates the directory of repositories with its first push. */
  async function isUsable(): Promise<boolean> {
    if ((await placing()) === null) return false;
    return (await ifThere(() => lstat(repositoriesDir(storageDir)))) !== null;
  }

  async function create(id: string): Promise<void> {
    await inDirectory(dir, async () => {
      const file = await open(join(dir, id), 'wx');
      await file.close();
    });
  }

  async function claim(id: string): Promise<ClaimedUpload | null> {
    if (!isStoredUpload(id)) return null;
    const path = join(dir, `${id}.claimed`);
    const isOurs = await ifThere(async () => {
      await rename(join(dir, id), path);
      return true;
    });
    if (!isOurs) return null;
    const upload = await openFile(path, hashes.get(id));
    hashes.delete(id);
    return claimed(upload, {
      path,
      placing,
      async release() {
        if (upload.hash) hashes.set(id, { hash: upload.hash, size: upload.size });
        await rename(path, join(dir, id));
      },
    });
  }

  return {
    isConfirmed: () => placement?.isConfirmed() ?? false,
    async begin() {
      if (mayNotWrite) return null;
      try {
        if (!(await isUsable())) return null;
        void removeAbandoned();
        const id = `stored-${randomUUID()}`;
        await create(id);
        return id;
      } catch (error) {
        if (!isReadOnly(error)) throw error;
        mayNotWrite = true;
        return null;
      }
    },
    async received(id) {
      if (!isStoredUpload(id)) return null;
      const facts = await ifThere(() => lstat(join(dir, id)));
      return facts === null ? null : facts.size;
    },
    claim,
    async dropDamaged(digest, size) {
      await (await placing().catch(() => null))?.dropDamaged(digest, size);
    },
    async mount(repository, from, digest) {
      const placement = await placing();
      // Before the first confirmed blob, the directory may be that of another registry.
      return placement?.isConfirmed() && algorithmOf(digest) === 'sha256'
        ? placement.mount(repository, from, digest)
        : null;
    },
  };
}

async function openFile(
  path: string,
  known: { hash: Hash; size: number } | undefined,
): Promise<UploadFile> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const { size } = await file.stat();
  if (size === 0) return { file, size, hash: createHash('sha256') };
  return { file, size, hash: known?.size === size ? known.hash : null };
}

interface Claim {
  path: string;
  placing(): Promise<LivePlacement | null>;
  release(): Promise<void>;
}

function claimed(upload: UploadFile, { path, placing, release }: Claim): ClaimedUpload {
  const { file } = upload;
  let state: 'open' | 'broken' | 'ended' = 'open';

  async function end(): Promise<void> {
    if (state === 'ended') return;
    const isKept = state === 'open';
    state = 'ended';
    await file.close();
    if (isKept) await release();
    else await ifThere(() => unlink(path));
  }

  async function storeCommitted({ repository, digest }: CommittedBlob, isInRegistry: IsInRegistry) {
    await file.datasync();
    const blob = await digestOf(upload, 'sha256');
    const isAlias = algorithmOf(digest) !== 'sha256';
    if ((isAlias ? await digestOf(upload, algorithmOf(digest)) : blob) !== digest)
      return 'mismatch' as const;
    const placement = await placing();
    const descriptor = { mediaType: 'application/octet-stream', digest: blob, size: upload.size };
    if (!(await placement?.place(repository, descriptor, path))) return 'refused' as const;
    if (isAlias) await placement?.alias(repository, digest, blob);
    const isKnown = await placement?.confirm(() => isInRegistry(blob));
    return isKnown ? { digest: blob } : ('refused' as const);
  }

  return {
    get received() {
      return upload.size;
    },
    async append(body) {
      try {
        await append(upload, body);
      } catch (error) {
        if (isSystemError(error)) state = 'broken';
        throw error;
      }
    },
    async commit(blob, isInRegistry) {
      state = 'broken';
      try {
        return await storeCommitted(blob, isInRegistry);
      } finally {
        await end();
      }
    },
    async cancel() {
      state = 'broken';
      await end();
    },
    end,
  };
}

async function digestOf({ file, hash }: UploadFile, algorithm: string): Promise<Digest> {
  const known = algorithm === 'sha256' ? hash : null;
  const hex = (known ?? (await hashOfFile(file, algorithm))).copy().digest('hex');
  return parseDigest(`${algorithm}:${hex}`);
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function isReadOnly(error: unknown): boolean {
  return isSystemError(error) && ['EROFS', 'EACCES', 'EPERM'].includes(error.code);
}
