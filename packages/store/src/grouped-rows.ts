/**
 * Rows of a list that is ordered by groups which no column has in that order: each group is read
 * apart, until there are enough.
 */

/** The rows of each condition after those of the one before. */
export async function filled<C, T>(
  take: number,
  conditions: readonly C[],
  read: (condition: C, most: number) => PromiseLike<T[]>,
): Promise<T[]> {
  const rows: T[] = [];
  for (const condition of conditions) {
    rows.push(...(await read(condition, take - rows.length)));
    if (rows.length === take) break;
  }
  return rows;
}
