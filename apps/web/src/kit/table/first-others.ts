/** The next batch of rows of a table that shows some of them. */

/** New rows in one task, in which a slow machine does not answer. */
const BATCH = 10;

interface Rows<T> {
  rows: readonly T[];
  keyOf(row: T): string;
}

/** Those that are shown, and the first of the others, in the order of all. */
export function withFirstOthers<T>({ rows, keyOf }: Rows<T>, shown: ReadonlySet<string>): T[] {
  let room = BATCH;
  return rows.filter((row) => {
    if (shown.has(keyOf(row))) return true;
    room -= 1;
    return room >= 0;
  });
}
