/**
 * Holds the quotas of the local registry's folders at every door where content enters one. See
 * docs/decisions/0067-folder-quotas.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf } from '@portcullis/domain';
import { addedBytes, fitsQuota, isFull, writtenBytes } from '@portcullis/domain/folder-quota';
import { type AppError, conflict, isAppError, unavailable } from '@portcullis/errors';
import {
  isManifestType,
  type Mounter,
  type Source,
  type Target,
  wrapTarget,
} from '@portcullis/oci';
import type { Store, UsedBound } from '@portcullis/store';
import type { GateRules } from '../rules.ts';
import { type Contents, contentsOf, type EnteringImage } from './entering.ts';

export interface FolderQuotasPorts {
  rules(): Promise<Pick<GateRules, 'gateOf'>>;
  folders(): Promise<ReadonlySet<string>>;
  contents: Store['folderContents'];
  open(repository: string): Pick<Source, 'fetch'>;
  claims: {
    /** Holds bytes of a folder for a push that is running. @throws unavailable */
    claim(folder: string, bytes: number): Promise<Claim>;
  };
}

interface Claim {
  /** What pushes hold that began earlier and still run. */
  earlier: number;
  release(): Promise<void>;
}

/** The digests of an image that entered as a whole. */
export type Entered = ReadonlySet<string>;

export interface FolderQuotas {
  isLimited(repository: string): Promise<boolean>;
  /**
   * Before bytes are received whose size is not known yet.
   * @param digest of what is going to be stored, where the client names it
   * @throws conflict `QUOTA_EXCEEDED` where the folder is full and lacks the content
   */
  assertRoom(repository: string, digest: string | null): Promise<void>;
  /**
   * Runs what stores the image and records it in the index.
   * @throws conflict `QUOTA_EXCEEDED` where what it adds exceeds the quota; unavailable
   */
  entering<T>(
    repository: string,
    image: EnteringImage,
    work: (entered: Entered) => Promise<T>,
  ): Promise<T>;
  /**
   * After a blob was stored: if a manifest stated that clients fetch it elsewhere, it counts by its
   * own size from now on.
   */
  arrived(repository: string, digest: string, sizeOf: () => Promise<number | null>): Promise<void>;
}

const NOTHING: Entered = new Set();

/** A folder whose images are deleted faster than this is asked for again by the client. */
const MAX_TRIES = 5;
/** For what other pushes hold: about a second. */
const MOST_LOOKS = 10;
const LOOK_MS = 100;

/** For tests: as where no folder has a quota. */
export const UNUSED_QUOTAS: FolderQuotas = {
  isLimited: async () => false,
  assertRoom: async () => {},
  entering: (_, __, work) => work(NOTHING),
  arrived: async () => {},
};

interface FolderQuota {
  folder: string;
  quota: number;
}

/**
 * A sum, and the bound that was read before it: since then the folder can only have grown by what
 * was added.
 */
interface Measured {
  at: UsedBound;
  used: Promise<number>;
}

export function createFolderQuotas(ports: FolderQuotasPorts): FolderQuotas {
  const { rules, folders, contents, open, claims } = ports;
  const measured = new Map<string, Measured>();

  async function quotaOf(repository: string): Promise<FolderQuota | null> {
    const folder = folderOf(repository, await folders());
    const { quotaBytes } = (await rules()).gateOf(folder);
    return quotaBytes === null ? null : { folder, quota: quotaBytes };
  }

  /** The exact sum reads every blob of the folder, so that bounds of it are tried first. */
  async function usedBy(folder: string, suffices: (bound: number) => boolean): Promise<number> {
    const bound = await contents.bound(folder);
    if (suffices(bound.bytes)) return bound.bytes;
    const known = measured.get(folder);
    if (known?.at.members === bound.members) {
      const grown = (await known.used) + Number(bound.added - known.at.added);
      if (suffices(grown)) return grown;
    }
    return measure(folder, bound);
  }

  /** Pushes that ask after the same change share the sum. */
  function measure(folder: string, at: UsedBound): Promise<number> {
    const present = measured.get(folder);
    if (present?.at.mark === at.mark) return present.used;
    const used = contents.used(folder);
    const own = { at, used };
    measured.set(folder, own);
    used.catch(() => measured.get(folder) === own && measured.delete(folder));
    return used;
  }

  async function assertFits(
    { folder, quota }: FolderQuota,
    adds: number,
    held: number,
  ): Promise<void> {
    const fits = (used: number) => fitsQuota({ quota, used: used + held, adds });
    const used = await usedBy(folder, fits);
    if (!fits(used)) throw exceeded({ folder, quota }, { used, adds, held });
  }

  /**
   * Holds the bytes where they fit beside what other pushes hold. A push is answered a moment
   * before it holds nothing any more, and its client may push again by then: ask some times.
   * @throws conflict, unavailable
   */
  async function heldRoom(limit: FolderQuota, adds: number): Promise<Claim> {
    for (let looks = MOST_LOOKS; ; looks--) {
      const claim = await claims.claim(limit.folder, adds);
      try {
        await assertFits(limit, adds, claim.earlier);
        return claim;
      } catch (error) {
        await claim.release();
        if (looks === 1 || claim.earlier === 0 || !isExceeded(error)) throw error;
      }
      await sleep(LOOK_MS);
    }
  }

  const presentIn =
    ({ folder }: FolderQuota) =>
    (digests: readonly string[]) =>
      contents.present(folder, digests);

  /**
   * Asked after the sum: what was deleted since it was counted as present would be in neither, and
   * the claim is too small for it.
   */
  async function isStillPresent(limit: FolderQuota, { present }: Contents): Promise<boolean> {
    if (present.size === 0) return true;
    const now = await presentIn(limit)([...present.keys()]);
    const sizes = new Map(now.map(({ digest, size }) => [digest, size]));
    return [...present].every(([digest, size]) => (sizes.get(digest) ?? -1) >= size);
  }

  return {
    isLimited: async (repository) => (await quotaOf(repository)) !== null,
    async assertRoom(repository, digest) {
      const limit = await quotaOf(repository);
      if (!limit) return;
      const { folder, quota } = limit;
      const used = await usedBy(folder, (bound) => !isFull({ quota, used: bound }));
      if (!isFull({ quota, used })) return;
      if (digest !== null && (await contents.present(folder, [digest])).length > 0) return;
      throw full(limit, used);
    },
    async entering(repository, image, work) {
      const limit = await quotaOf(repository);
      if (!limit) return work(NOTHING);
      const source = image.source ?? open(repository);
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const found = await contentsOf(image, { present: presentIn(limit), source });
        const adds = addedBytes(found.sized, found.present);
        if (adds === 0) return work(digestsOf(found));
        // One that fits nowhere must not hold space, which would refuse the pushes of others.
        await assertFits(limit, adds, 0);
        const claim = await heldRoom(limit, adds);
        try {
          if (await isStillPresent(limit, found)) return await work(digestsOf(found));
        } finally {
          await claim.release();
        }
      }
      throw changing(limit);
    },
    async arrived(repository, digest, sizeOf) {
      if (!(await quotaOf(repository))) return;
      const stated = await contents.statedSize(repository, digest);
      if (stated === null) return;
      const size = await sizeOf();
      if (size !== null && size !== stated) await contents.correctSize(repository, digest, size);
    },
  };
}

function digestsOf({ sized }: Contents): Entered {
  return new Set(sized.map(({ digest }) => digest));
}

/**
 * A push target for a repository of the local registry, for manifests that are found during the
 * copy: referrers of the image that entered.
 */
export function withinQuota(
  repository: string,
  target: Target & Mounter,
  { quotas, entered }: { quotas: Pick<FolderQuotas, 'entering'>; entered(): Entered },
): Target & Mounter {
  return wrapTarget(target, {
    async push(descriptor, open, options) {
      const push = () => target.push(descriptor, open, options);
      if (!isManifestType(descriptor.mediaType) || entered().has(descriptor.digest)) return push();
      const source = { fetch: () => open({}) };
      await quotas.entering(repository, { root: descriptor, source }, push);
    },
  });
}

const CODE = 'QUOTA_EXCEEDED';
const WHAT_NEXT = 'delete images from it, or ask an administrator for a larger quota';

const isExceeded = (error: unknown): boolean => isAppError(error) && error.code === CODE;

function exceeded(
  { folder, quota }: FolderQuota,
  { used, adds, held }: { used: number; adds: number; held: number },
): AppError {
  const running = held > 0 ? `, ${writtenBytes(held)} are being pushed to it` : '';
  return conflict(
    CODE,
    `this would add ${writtenBytes(adds)} to the folder ${folder}, which uses ${writtenBytes(used)} of its quota of ${writtenBytes(quota)}${running}; ${WHAT_NEXT}`,
    { detail: { folder, quota_bytes: quota, used_bytes: used, added_bytes: adds } },
  );
}

function changing({ folder }: FolderQuota): AppError {
  const message = `images of the folder ${folder} are being deleted; try again in a moment`;
  return unavailable('REGISTRY_UNAVAILABLE', message, { retryAfter: 10 });
}

function full({ folder, quota }: FolderQuota, used: number): AppError {
  return conflict(
    CODE,
    `the folder ${folder} is full: it uses ${writtenBytes(used)} of its quota of ${writtenBytes(quota)}; ${WHAT_NEXT}`,
    { detail: { folder, quota_bytes: quota, used_bytes: used } },
  );
}
