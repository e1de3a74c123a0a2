/**
 * Deletes, retags and copies images by putting manifests and mounting blobs; no bytes of blobs are
 * moved.
 */
import { withoutStatements } from '@portcullis/attest';
import type { Principal } from '@portcullis/domain';
import { conflict, isAppError, notFound } from '@portcullis/errors';
import {
  type ExplainedDecision,
  type Gates,
  type KeptDigests,
  openLocalWriter,
} from '@portcullis/gate';
import { createTagRemoval, type IndexKeeper, type WriteLock } from '@portcullis/local-registry';
import { copy, type Digest, isDigest, type Source } from '@portcullis/oci';
import type { Store } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import {
  noImage,
  noRepository,
  type OpenedRepository,
  type RegistryScope,
  type Repositories,
} from './repositories.ts';

export interface ChangePorts {
  images: Pick<Store['images'], 'digests' | 'removeRepository' | 'find'>;
  signingKeys: Pick<Store['signingKeys'], 'everyPublicKey'>;
  repositories: Repositories;
  rights: AccessRights;
  keeper: IndexKeeper;
  registryLock: WriteLock;
  gates: Pick<Gates, 'copyGate' | 'immutableTags' | 'folderQuotas'>;
}

export interface RemovedRepository {
  deleted: string[];
  failed: { tag: string; code: string; reason: string }[];
}

export interface CopyOrder {
  source: { repository: string; reference: string };
  target: { repository: string; tag: string };
}

export interface CopiedImage {
  digest: Digest;
  /** Referrers that are images. */
  /** Digests, and tags of cosign. */
  referrersLeft: string[];
  /** Why what the policies block was copied all the same. */
  decisions: ExplainedDecision[];
}

const TAG_PATIENCE_MS = 30_000;
const REPOSITORY_PATIENCE_MS = 120_000;

export function createChanges(ports: ChangePorts) {
  const {
    images,
    signingKeys,
    repositories,
    rights,
    keeper,
    registryLock,
    gates: { copyGate, immutableTags, folderQuotas },
  } = ports;

  const unstated = (source: Source) => withoutStatements(source, signingKeys.everyPublicKey);
  const removeLocalTag = createTagRemoval({ immutableTags, registryLock, keeper });

  /** Garbage collection of another registry is outside our control. */
  function writing<T>(
    { local, name }: OpenedRepository,
    touched: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    if (!local) return work();
    return registryLock.write(async () => {
      if (touched.length > 0) await registryLock.touches(name, touched);
      return work();
    });
  }

  async function removeTag(
    scope: RegistryScope,
    name: string,
    { tag, digest: expected }: ExpectedTag,
  ): Promise<void> {
    const opened = await repositories.open(scope, name, 'push', 'delete');
    const signal = AbortSignal.timeout(TAG_PATIENCE_MS);
    const remove = () =>
      opened.ask(noImage(name, tag), async (repository) => {
        if (expected !== undefined) {
          const { digest } = await repository.resolve(tag, { signal });
          if (digest !== expected) throw tagMoved(tag);
        }
        await repository.removeTag(tag, { signal });
      });
    // Garbage collection of another registry is outside our control.
    await (opened.local ? removeLocalTag(name, tag, remove) : remove());
  }

  async function retag(
    scope: RegistryScope,
    name: string,
    tags: { source: string; target: string },
  ) {
    const opened = await repositories.open(scope, name, 'push');
    const signal = AbortSignal.timeout(TAG_PATIENCE_MS);
    const missing = noImage(name, tags.source);
    const { digest, ...descriptor } = await opened.ask(missing, (repository) =>
      repository.resolve(tags.source, { signal }),
    );
    const entering = { repository: name, digest, contentIn: name };
    const decision = opened.local ? await copyGate.assertEnters(scope.principal, entering) : null;
    const write = () =>
      writing(opened, [digest, tags.target], () =>
        opened.ask(missing, (repository) =>
          repository.tag({ digest, ...descriptor }, tags.target, { signal }),
        ),
      );
    const change = { tag: tags.target, digest };
    const root = { digest, ...descriptor };
    if (!opened.local) await write();
    // A manifest that lost its last tag counts no longer, and is there until it is collected.
    else
      await folderQuotas.entering(name, { root }, async () => {
        await immutableTags.writing(name, change, write);
        await keeper.look(name, tags.target);
      });
    return { tag: tags.target, digest, decisions: decision ? [decision] : [] };
  }

  async function removeRepository(scope: RegistryScope, name: string): Promise<RemovedRepository> {
    const opened = await repositories.open(scope, name, 'push', 'delete');
    return opened.local
      ? immutableTags.removing(name, (kept) => removeAll(opened, kept))
      : removeAll(opened, null);
  }

  /** What immutable tags lead to remains, and the tags of that are named as failed. */
  async function removeAll(
    opened: OpenedRepository,
    kept: KeptDigests | null,
  ): Promise<RemovedRepository> {
    const { name } = opened;
    const signal = AbortSignal.timeout(REPOSITORY_PATIENCE_MS);
    const tagged = await tagsByDigest(opened, signal);
    const untagged = opened.local ? (await images.digests(name)).filter(isDigest) : [];
    if (tagged.size + untagged.length === 0) throw notFound(...noRepository(name));
    const removal: RemovedRepository = { deleted: [], failed: [] };
    for (const [digest, tags] of tagged)
      await writing(opened, [], () =>
        removeTagged(opened, { digest, tags, signal, removal, kept }),
      );
    // Deletes parents before children, so that no remaining manifest lacks a part.
    const rest = untagged.filter((digest) => !tagged.has(digest));
    if (removal.failed.length === 0)
      for (const digest of rest)
        await writing(opened, [], () => removeUntagged(opened, { digest, signal, kept }));
    if (opened.local) await keeper.reconcile(name);
    return { deleted: removal.deleted.sort(), failed: removal.failed };
  }

  /**
   * Mounts where the registry can. Referrers are copied too, except images, which were not
   * requested, and what this installation states: the folder of the target may have another policy.
   */
  async function copyImage(
    principal: Principal,
    { source, target }: CopyOrder,
  ): Promise<CopiedImage> {
    await rights.assert(principal, { action: 'pull', repository: source.repository });
    await rights.assert(principal, { action: 'push', repository: target.repository });
    const from = repositories.openLocal(source.repository);
    const to = repositories.openLocal(target.repository);
    const missing = noImage(source.repository, source.reference);
    // What is decided is what is copied, also while the tag moves.
    const found = await from.ask(missing, (repository) =>
      repository.resolve(source.reference, { signal: AbortSignal.timeout(TAG_PATIENCE_MS) }),
    );
    const { digest } = found;
    const left = await copyGate.assertLeaves(principal, { repository: source.repository, digest });
    await immutableTags.assertMoves(target.repository, { tag: target.tag, digest });
    const entered = await copyGate.assertEnters(principal, {
      repository: target.repository,
      digest,
      contentIn: source.repository,
    });
    const image = { root: found, source: from.repository };
    const writer = await openLocalWriter({ keeper, registryLock, immutableTags, folderQuotas }, to);
    const { root, leftBehind } = await writer.entering(image, async () => {
      const copied = await from.ask(missing, () =>
        copy(unstated(from.repository), digest, writer.target, {
          targetTag: target.tag,
          mountFrom: () => [source.repository],
          includeReferrers: true,
          signal: AbortSignal.timeout(REPOSITORY_PATIENCE_MS),
        }),
      );
      await writer.settle();
      return copied;
    });
    return {
      digest: root.digest,
      referrersLeft: leftBehind.map(({ name }) => name),
      decisions: [left, entered].filter((decision) => decision !== null),
    };
  }

  return { removeTag, retag, removeRepository, copyImage };
}

async function tagsByDigest(
  opened: OpenedRepository,
  signal: AbortSignal,
): Promise<Map<Digest, string[]>> {
  const missing = noRepository(opened.name);
  const tags = await opened.ask(missing, (repository) => repository.allTags({ signal }));
  const byDigest = new Map<Digest, string[]>();
  for (const tag of tags) {
    const digest = await digestOf(opened, tag, signal);
    if (digest) byDigest.set(digest, [...(byDigest.get(digest) ?? []), tag]);
  }
  return byDigest;
}

/** Undefined if the tag was deleted meanwhile. */
async function digestOf(
  opened: OpenedRepository,
  tag: string,
  signal: AbortSignal,
): Promise<Digest | undefined> {
  try {
    return (
      await opened.ask(noImage(opened.name, tag), (repository) =>
        repository.resolve(tag, { signal }),
      )
    ).digest;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}

export interface ExpectedTag {
  tag: string;
  /** What it leads to; undefined: anything. */
  digest: string | undefined;
}

function tagMoved(tag: string): Error {
  return conflict('TAG_MOVED', `The tag ${tag} leads to another image by now.`);
}

interface Tagged {
  digest: Digest;
  tags: string[];
  signal: AbortSignal;
  removal: RemovedRepository;
  kept: KeptDigests | null;
}

async function removeTagged(
  opened: OpenedRepository,
  { digest, tags, signal, removal, kept }: Tagged,
): Promise<void> {
  try {
    kept?.assertFree(digest);
    await opened.ask(noImage(opened.name, digest), (repository) =>
      repository.remove(digest, { signal }),
    );
    removal.deleted.push(...tags);
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.kind === 'not_found') removal.deleted.push(...tags);
    else {
      const { code, message: reason } = error;
      removal.failed.push(...tags.map((tag) => ({ tag, code, reason })));
    }
  }
}

/** No tag is left to record; garbage collection removes the rest. */
async function removeUntagged(
  opened: OpenedRepository,
  { digest, signal, kept }: Pick<Tagged, 'digest' | 'signal' | 'kept'>,
): Promise<void> {
  try {
    kept?.assertFree(digest);
    await opened.ask(noImage(opened.name, digest), (repository) =>
      repository.remove(digest, { signal }),
    );
  } catch (error) {
    if (!isAppError(error)) throw error;
  }
}
