/**
 * Removes the tags of one repository that a retention rule does not keep. Each tag is compared with
 * the registry and the index right before it is removed.
 */
import { folderOf, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { type RetainedTag, type RetentionRule, subjectOfTag } from '@portcullis/domain/retention';
import { isAppError, isTransient, unlessMissing } from '@portcullis/errors';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import { expiredIn, type ImmutableTags } from '@portcullis/gate';
import { isCollecting, type TagRemoval } from '@portcullis/local-registry';
import type { Repository } from '@portcullis/oci/remote';
import type { Logger } from '@portcullis/runtime';
import type { AuditScope, Store } from '@portcullis/store';

export interface RemoveExpiredPorts {
  retention: Pick<Store['retention'], 'tags' | 'findTag' | 'children'>;
  immutableTags: Pick<ImmutableTags, 'patternOf'>;
  removeTag: TagRemoval;
  open(repository: string): Pick<Repository, 'resolve' | 'removeTag' | 'allTags'>;
  folders(): Promise<ReadonlySet<string>>;
  /** Whether the registry answers at all. */
  answers(): Promise<boolean>;
  audit: Pick<AuditLog, 'flushSoon'> & Pick<Store['outbox'], 'scope'>;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

export interface ExpiredOrder {
  folder: string;
  rule: RetentionRule;
  signal: AbortSignal;
  /** False where the rule was changed, or another worker has the run: then `signal` is aborted. */
  isCurrent(): Promise<boolean>;
  /** Counts the outcome of a tag. @throws where the run is over */
  note(outcome: 'removed' | 'failed'): Promise<void>;
}

export const RETENTION_ACTOR = { id: null, name: 'retention' };
const PATIENCE_MS = 30_000;
const LIST_PATIENCE_MS = 120_000;
/** This many failures in a row are not those of single tags. */
const MOST_FAILURES = 5;

/** @returns how many tags stay. @throws what makes the registry unreachable */
export async function removeExpired(
  repository: string,
  order: ExpiredOrder,
  ports: RemoveExpiredPorts,
): Promise<number> {
  const { rule, signal } = order;
  const context = { rule, patternOf: await ports.immutableTags.patternOf(repository) };
  const expiredOf = (tags: RetainedTag[]) =>
    expiredIn(ports.retention, { repository, tags }, { ...context, now: ports.now() });
  const decide = () => expiredNow(repository, expiredOf, ports);
  let failures = 0;
  async function removeAll(tags: readonly RetainedTag[]): Promise<void> {
    for (const tag of tags) {
      signal.throwIfAborted();
      const error = await removeOne({ ...order, repository, tag }, ports);
      failures = error === null ? 0 : failures + 1;
      if (failures >= MOST_FAILURES && isTransient(error)) throw error;
    }
  }
  const isAttached = ({ tag }: RetainedTag) => subjectOfTag(tag) !== null;
  const expired = await decide();
  await removeAll(expired.filter((tag) => !isAttached(tag)));
  // Decided again: an image that was pushed meanwhile keeps its signatures.
  if (expired.some(isAttached)) await removeAll((await decide()).filter(isAttached));
  return (await ports.retention.tags(repository)).length;
}

/**
 * After a restore the index may have tags that are gone from the registry, which must not count as
 * the newest. Such tags are removed from the index where the rule removes them.
 */
async function expiredNow(
  repository: string,
  expiredOf: (tags: RetainedTag[]) => Promise<RetainedTag[]>,
  { open, retention }: Pick<RemoveExpiredPorts, 'open' | 'retention'>,
): Promise<RetainedTag[]> {
  const signal = AbortSignal.timeout(LIST_PATIENCE_MS);
  const names = new Set(await unlessMissing(open(repository).allTags({ signal })));
  const indexed = await retention.tags(repository);
  const there = indexed.filter(({ tag }) => names.has(tag));
  const expired = await expiredOf(there);
  if (there.length === indexed.length) return expired;
  // One that was pushed since is among the newest here.
  const gone = (await expiredOf(indexed)).filter(({ tag }) => !names.has(tag));
  return [...expired, ...gone];
}

interface Removal extends ExpiredOrder {
  repository: string;
  tag: RetainedTag;
}

/** A tag that was pushed, moved or removed meanwhile is left. @returns the failure, if any */
async function removeOne(removal: Removal, ports: RemoveExpiredPorts): Promise<Error | null> {
  const { repository, tag } = removal;
  const draft = removedEvent(removal, 'success');
  const scope = ports.audit.scope(() => draft);
  await scope.intend();
  const attempt = { isAsked: false, isRemoved: false };
  try {
    await ports.removeTag(repository, tag.tag, async () => {
      if (!(await isUnchanged(removal, ports))) return;
      attempt.isAsked = true;
      const signal = AbortSignal.timeout(PATIENCE_MS);
      await ports.open(repository).removeTag(tag.tag, { signal });
      attempt.isRemoved = true;
    });
  } catch (error) {
    ports.log.warn({ err: error, repository, tag: tag.tag }, 'a tag could not be removed');
    // Where the tag was removed, reconciliation does what is missing in the index.
    if (!attempt.isRemoved) return await failed(error, { removal, draft, scope, attempt }, ports);
  }
  await scope.end(attempt.isRemoved ? draft : null);
  ports.audit.flushSoon();
  if (attempt.isRemoved) await removal.note('removed');
  return null;
}

interface Failed {
  removal: Removal;
  draft: AuditEvent;
  scope: AuditScope;
  attempt: { isAsked: boolean };
}

/** @throws what concerns more than the tag */
async function failed(
  error: unknown,
  { removal, draft, scope, attempt }: Failed,
  ports: RemoveExpiredPorts,
): Promise<Error> {
  const code = isAppError(error) ? error.code : null;
  const isItsOwn = isAppError(error) && (!isTransient(error) || (await isOfTag(error, ports)));
  // The registry may do later what it was asked for.
  await scope.end(isItsOwn || attempt.isAsked ? failedEvent(removal, draft, code) : null);
  if (!isItsOwn) throw error;
  ports.audit.flushSoon();
  await removal.note('failed');
  return error;
}

/** Whether other tags may be removed although this one was not. */
async function isOfTag(error: Error, { answers }: RemoveExpiredPorts): Promise<boolean> {
  return !isCollecting(error) && (await answers());
}

/**
 * Whether the rule still removes the tag. A repository is another folder's once that was created.
 * The index is asked last: it has a push later than the registry.
 */
async function isUnchanged(
  { folder, repository, tag, isCurrent }: Removal,
  { folders, open, retention }: RemoveExpiredPorts,
): Promise<boolean> {
  if (folderOf(repository, await folders()) !== folder) return false;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = await unlessMissing(open(repository).resolve(tag.tag, { signal }));
  if (found?.digest !== tag.digest) return false;
  const [indexed, isOurs] = await Promise.all([
    retention.findTag(repository, tag.tag),
    isCurrent(),
  ]);
  if (!isOurs) return false;
  return indexed?.digest === tag.digest && +indexed.updatedAt === +tag.updatedAt;
}

function removedEvent(
  { folder, repository, tag: { tag, digest, updatedAt } }: Removal,
  outcome: AuditEvent['outcome'],
): AuditEvent {
  return systemEvent({
    event: 'image.tag_delete',
    outcome,
    actor: RETENTION_ACTOR,
    action: 'remove',
    resource: { kind: 'image', id: null, name: repository, folder },
    detail: { registry: LOCAL_REGISTRY_ID, tag, digest, updated_at: updatedAt.toISOString() },
  });
}

function failedEvent(removal: Removal, { id }: AuditEvent, code: string | null): AuditEvent {
  const event = removedEvent(removal, 'failure');
  return { ...event, id, detail: { ...event.detail, code } };
}
