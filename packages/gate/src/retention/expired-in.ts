/** Which tags of a repository a retention rule removes, according to the index of images. */
import {
  expiredTags,
  type RetainedTag,
  type RetentionContext,
  type RetentionRule,
  subjectOfTag,
} from '@portcullis/domain/retention';
import type { RetainedRepository, Store } from '@portcullis/store';

export interface RetentionOrder extends Pick<RetentionContext, 'now' | 'patternOf'> {
  rule: RetentionRule;
}

/** Reads what indexes list only where signatures or the like may belong to it. */
export async function expiredIn(
  retention: Pick<Store['retention'], 'children'>,
  { repository, tags }: RetainedRepository,
  { rule, ...context }: RetentionOrder,
): Promise<RetainedTag[]> {
  const hasAttached = tags.some(({ tag }) => subjectOfTag(tag) !== null);
  const children = hasAttached ? await retention.children(repository) : new Map();
  return expiredTags(rule, tags, { ...context, children });
}
