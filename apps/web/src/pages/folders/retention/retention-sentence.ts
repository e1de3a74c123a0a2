/** A retention rule in words. */
import type { TagRetention } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';

export function useRetentionSentence(): (rule: TagRetention | null) => string {
  const t = useMessages('retention');
  const format = useFormat();
  return (rule) => {
    if (rule === null) return t.none;
    const { keep_newest: newest, keep_days: days, keep } = rule;
    const kept = [
      newest !== null && t.newestTags(newest),
      days !== null && t.tagsOfDays(days),
      keep.length > 0 && t.matchingTags(keep.join(' ')),
    ].filter((part) => part !== false);
    return t.keeps(format.list(kept));
  };
}
