/** The newest tags of a selection, without those that the destination refuses for their age. */

export interface SkippedTag {
  tag: string;
  /** Until when its image is too young. */
  until: Date;
}

/** Each costs a question to the source. Where more are too young, fewer tags are taken. */
export const MOST_SKIPPED = 20;
const AT_ONCE = 8;

/**
 * @param tags the newest first
 * @param waitsUntil null for an image that need not wait; asked about no more tags than needed
 */
export async function oldEnough(
  tags: readonly string[],
  count: number,
  waitsUntil: (tag: string) => Promise<Date | null>,
): Promise<{ taken: string[]; skipped: SkippedTag[] }> {
  const taken: string[] = [];
  const skipped: SkippedTag[] = [];
  for (let from = 0; from < tags.length && taken.length < count; ) {
    const some = tags.slice(from, from + Math.min(AT_ONCE, count - taken.length));
    from += some.length;
    const ends = await Promise.all(
      some.map(async (tag) => ({ tag, until: await waitsUntil(tag) })),
    );
    for (const { tag, until } of ends)
      if (until === null) taken.push(tag);
      else skipped.push({ tag, until });
  }
  return { taken, skipped };
}
