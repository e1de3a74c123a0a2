/**
 * Removes the tags of mirrors that no account has pulled for as long as the mirror keeps them, in
 * the way of retention: a pull counts as a push does there. What runs in a cluster is in use: the
 * node that it moves to pulls it, and the upstream may have it no more.
 */
import { folderOf } from '@portcullis/domain';
import type { Mirror } from '@portcullis/domain/mirror';
import type { RetainedTag, RetentionRule } from '@portcullis/domain/retention';
import { expiredIn } from '@portcullis/gate';
import type { Store } from '@portcullis/store';
import { oneByOne } from './one-by-one.ts';
import { type RemoveExpiredPorts, removeExpired } from './remove-expired.ts';

export interface EvictMirrorsPorts extends Omit<RemoveExpiredPorts, 'retention'> {
  retention: RemoveExpiredPorts['retention'] & Pick<Store['retention'], 'repositories'>;
  mirrors: Pick<Store['mirrors'], 'all' | 'uses' | 'forget'>;
  inUse: Pick<Store['imagesInUse'], 'runningTags'>;
}

export async function evictMirrors(ports: EvictMirrorsPorts, stopping: AbortSignal): Promise<void> {
  for (const mirror of await ports.mirrors.all()) {
    stopping.throwIfAborted();
    await evict(mirror, ports, stopping);
    await ports.mirrors.forget(mirror.folder, mirror.keepDays);
  }
}

async function evict(
  mirror: Mirror,
  ports: EvictMirrorsPorts,
  stopping: AbortSignal,
): Promise<void> {
  const { retention, mirrors, inUse, immutableTags, folders, now } = ports;
  const { folder, keepDays } = mirror;
  const rule: RetentionRule = { keepNewest: null, keepDays, keep: [] };
  const changed = new AbortController();
  const signal = AbortSignal.any([stopping, changed.signal]);

  async function isCurrent(): Promise<boolean> {
    const present = (await mirrors.all()).find((each) => each.folderId === mirror.folderId);
    const isSame = present?.keepDays === keepDays;
    if (!isSame) changed.abort();
    return isSame;
  }

  const attempt = oneByOne(ports);
  for await (const each of retention.repositories(folder, null)) {
    const { repository } = each;
    if (folderOf(repository, await folders()) !== folder) continue;
    const running = [...(await inUse.runningTags(repository))].map((tag) => [tag, now()] as const);
    const uses = new Map([...(await mirrors.uses(repository)), ...running]);
    const used = usedTags(retention, uses);
    const tags = each.tags.map(used.asUsed);
    const patternOf = await immutableTags.patternOf(repository);
    const expired = await expiredIn(retention, { ...each, tags }, { rule, patternOf, now: now() });
    if (expired.length === 0) continue;
    const order = { folder, rule, signal, isCurrent, note: async () => {} };
    const removal = { ...ports, retention: used.retention };
    await attempt(repository, () => removeExpired(repository, order, removal));
  }
}

/** The tags of a repository, each with the time of its last pull where that is later. */
function usedTags(retention: RemoveExpiredPorts['retention'], uses: ReadonlyMap<string, Date>) {
  const asUsed = (tag: RetainedTag): RetainedTag => {
    const usedAt = uses.get(tag.tag);
    return usedAt && usedAt > tag.updatedAt ? { ...tag, updatedAt: usedAt, found: false } : tag;
  };
  return {
    asUsed,
    retention: {
      ...retention,
      tags: async (repository: string) => (await retention.tags(repository)).map(asUsed),
      async findTag(repository: string, name: string) {
        const tag = await retention.findTag(repository, name);
        return tag && asUsed(tag);
      },
    },
  };
}
