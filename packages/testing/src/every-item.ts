/** The pages of a list by cursors, as one list. */

interface Page<T> {
  items: readonly T[];
  nextCursor: string | null;
}

/** The items of all pages, in their order; `null` asks for the first. */
export async function everyItem<T>(
  read: (cursor: string | null) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
